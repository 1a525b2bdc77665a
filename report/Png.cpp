#include "report/Report.h"

#include <fmt/format.h>
#include <png.h>
#include <vector>

namespace argent {
namespace {

std::string base64(const std::vector<uint8_t> &bytes) {
    const char *const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t i = 0; i < bytes.size(); i += 3) {
        const size_t left = bytes.size() - i;
        const uint32_t three = uint32_t(bytes[i]) << 16 |
                               (left > 1 ? uint32_t(bytes[i + 1]) << 8 : 0) |
                               (left > 2 ? bytes[i + 2] : 0);
        text += digits[three >> 18];
        text += digits[three >> 12 & 63];
        text += left > 1 ? digits[three >> 6 & 63] : '=';
        text += left > 2 ? digits[three & 63] : '=';
    }
    return text;
}

}  // namespace

std::string png_data_uri(int width, int height, int channels, const uint8_t *pixels) {
    static const png_uint_32 formats[] = {PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB,
                                          PNG_FORMAT_RGBA};
    if (channels < 1 || channels > 4)
        throw std::invalid_argument(
            fmt::format("png_data_uri: {} channels, expected 1 to 4", channels));
    if (width < 1 || height < 1 || !pixels)
        throw std::invalid_argument(
            fmt::format("png_data_uri: no picture ({} x {})", width, height));

    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    image.width = png_uint_32(width);
    image.height = png_uint_32(height);
    image.format = formats[channels - 1];
    const auto row_stride = png_int_32(width) * channels;
    std::vector<uint8_t> bytes;
    png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
    bytes.resize(size);
    if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, pixels, row_stride, nullptr))
        throw std::runtime_error(fmt::format("png_data_uri: {}", image.message));
    bytes.resize(size);
    return "data:image/png;base64," + base64(bytes);
}

}  // namespace argent
