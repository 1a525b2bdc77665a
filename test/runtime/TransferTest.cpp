// The launch of an accelerator with AXI4-Stream ports (../sim/flow.json) on fake devices with and without a DMA engine.
#include <doctest/doctest.h>

#include <string>

#include "FakeDevice.h"
#include "flow_driver.h"

namespace {

struct Flow {
    FakeDevice &device;
    uint8_t in[3 * 16] = {}, out[3 * 8] = {};
    halide_dimension_t in_dims[2] = {{-1, 9, 1}, {0, 3, 16}}, out_dims[2] = {{0, 8, 1}, {0, 3, 8}};
    halide_buffer_t from{}, to{};

    explicit Flow(bool with_dma) : device(FakeDevice::fresh(with_dma)) {
        argent_launch_close();
        argent_launch_code();
        argent_launch_set_device("fake:here");
        device.registers[ARGENT_ID] = FLOW_ID_VALUE;
        from.type = to.type = halide_type_t(halide_type_uint, 8);
        from.dimensions = to.dimensions = 2;
        from.dim = in_dims;
        to.dim = out_dims;
        from.host = in;
        to.host = out;
    }
    ~Flow() { argent_launch_close(); }
    /** The argent_code. */
    int launch() {
        flow_launch(&from, 0, 6, 0, 2, -3, 0, &to);
        return argent_launch_code();
    }
    std::string text() {
        argent_device *d = nullptr;
        CHECK(argent_launch_device(&flow_accelerator, &d) == ARGENT_OK);
        return argent_device_text(d);
    }
};

}  // namespace

TEST_CASE("streams: the boxes go to the DMA engine, and no address to a register") {
    Flow f(true);
    CHECK(f.launch() == ARGENT_OK);
    CHECK(f.device.windows.empty());
    REQUIRE(f.device.transfers.size() == 2);
    for (int i = 0; i < 2; i++) {
        const argent_window &t = f.device.transfers[size_t(i)];
        const bool writes = i == 1;
        CHECK(std::string(t.port) == (writes ? "m_axis_out" : "s_axis_in"));
        CHECK(t.access == unsigned(writes ? ARGENT_WRITE : ARGENT_READ));
        CHECK(t.dimensions == 2);
        CHECK(t.extent[0] == 7);
        CHECK(t.extent[1] == 3);
        CHECK(t.stride[1] == (writes ? 8 : 16));
        // Column 0 of the input is its second byte.
        CHECK((t.address & 127) == (uint64_t(reinterpret_cast<uintptr_t>(writes ? f.out : f.in + 1)) & 127));
    }
    CHECK(f.device.registers[FLOW_WIDTH] == 7);
    CHECK(f.device.registers[FLOW_HEIGHT] == 3);
    CHECK(f.device.registers[FLOW_AMOUNT] == 0xfd);
    CHECK(f.device.mappings.count == 0);
}

TEST_CASE("streams: a device without a DMA engine refuses, and nothing is started") {
    Flow f(false);
    CHECK(f.launch() == ARGENT_UNSUPPORTED);
    CHECK(f.text() == "fake:here has no DMA engine that could move images through AXI4-Stream ports (s_axis_in); use sim:, or compile without streaming()");
    CHECK(f.device.launches == 0);
    CHECK(f.device.mappings.count == 0);
}

TEST_CASE("streams: what the DMA engine refuses is not started") {
    Flow f(true);
    f.device.dma_code = ARGENT_BAD_ARGUMENT;
    f.device.text = "no such channel";
    CHECK(f.launch() == ARGENT_BAD_ARGUMENT);
    CHECK(f.text() == "no such channel");
    CHECK(f.device.launches == 0);
}

TEST_CASE("streams: an error register that is not 0 says how the frame was, and the device is reset") {
    Flow f(true);
    f.device.registers[ARGENT_ERROR] = 2;
    CHECK(f.launch() == ARGENT_MISFRAMED);
    CHECK(f.device.resets == 1);
    f.device.registers[ARGENT_ERROR] = 0;
    CHECK(f.launch() == ARGENT_OK);
    CHECK(f.device.resets == 1);
}

TEST_CASE("streams: transfers without a list are refused") {
    Flow f(true);
    argent_device *d = nullptr;
    REQUIRE(argent_launch_device(&flow_accelerator, &d) == ARGENT_OK);
    argent_command command = {};
    command.transfer_count = 1;
    CHECK(argent_start(d, &command, nullptr) == ARGENT_BAD_ARGUMENT);
}
