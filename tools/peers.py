"""The figures to beat, for docs/figures.md. LUT, FF, BRAM18 and DSP of others' cores, measured with the same tools and method as ours
unless `published` says where the figure was printed. `mhz`: ECP5, and with block RAM output registers."""

PEERS = {
    "gaussian_3x3": [
        {"name": "vicg gauss3x3", "LUT": 91, "FF": 247, "BRAM18": 2, "DSP": 0, "mhz": 148, "mhz_ram_registers": 290},
        {"name": "by hand, whole job", "LUT": 61, "FF": 137, "BRAM18": 2, "DSP": 0},
        {"name": "clockwork gaussian (16 bit, 64 wide)", "LUT": 318, "FF": 321, "BRAM18": 2, "DSP": 9, "mhz": 49, "mhz_ram_registers": 65},
        {"name": "Halide-HLS 3x3, 32 bit", "LUT": 1019, "FF": 2002, "BRAM18": 8, "published": "Aetherling, PLDI 2020"},
        {"name": "Aetherling 3x3, 32 bit", "LUT": 385, "FF": 589, "BRAM18": 8, "published": "Aetherling, PLDI 2020"},
    ],
    "gaussian_5x5": [
        {"name": "ceda gauss5x5", "LUT": 753, "FF": 480, "BRAM18": 0, "DSP": 7, "mhz": 46},
        {"name": "Hipacc 5x5", "LUT": 697, "DSP": 12, "published": "hipacc results, 7020"},
    ],
    "gaussian_9x9": [
        {"name": "Rigel conv 8x8", "LUT": 1524, "FF": 1962, "BRAM18": 7, "DSP": 57, "mhz": 71},
    ],
    "sobel": [
        {"name": "inf sobel", "LUT": 154, "FF": 184, "BRAM18": 2, "DSP": 0, "mhz": 147, "mhz_ram_registers": 194},
        {"name": "vicg sobel", "LUT": 151, "FF": 281, "BRAM18": 2, "DSP": 0, "mhz": 148, "mhz_ram_registers": 204},
        {"name": "by hand, whole job", "LUT": 85, "FF": 173, "BRAM18": 2, "DSP": 0},
        {"name": "vendor HLS library", "LUT": 616, "BRAM18": 3, "published": "Vitis Vision 2023.2"},
    ],
    "unsharp": [
        {"name": "vicg sharpen3x3 (no division)", "LUT": 53, "FF": 122, "BRAM18": 2, "DSP": 1, "mhz": 147, "mhz_ram_registers": 138},
        {"name": "Halide-HLS sharpen, 32 bit", "LUT": 1623, "FF": 3119, "BRAM18": 8, "published": "Aetherling, PLDI 2020"},
        {"name": "Aetherling sharpen, 32 bit", "LUT": 511, "FF": 728, "BRAM18": 8, "published": "Aetherling, PLDI 2020"},
    ],
    "harris": [
        {"name": "sift harris (640 wide, no suppression)", "LUT": 357, "FF": 520, "BRAM18": 8, "DSP": 5, "mhz": 58, "mhz_ram_registers": 58},
        {"name": "clockwork harris", "LUT": 1652, "FF": 1791, "BRAM18": 16, "DSP": 6, "mhz": 48},
        {"name": "vendor HLS library", "LUT": 3522, "BRAM18": 33, "DSP": 10, "published": "Vitis Vision 2023.2"},
    ],
    "median_3x3": [
        {"name": "dls median3x3", "LUT": 238, "FF": 422, "BRAM18": 2, "DSP": 0, "mhz": 98, "mhz_ram_registers": 169},
        {"name": "vicg median3x3", "LUT": 371, "FF": 449, "BRAM18": 2, "DSP": 0, "mhz": 148, "mhz_ram_registers": 242},
        {"name": "by hand, whole job", "LUT": 129, "FF": 288, "BRAM18": 2, "DSP": 0},
    ],
    "chain": [
        {"name": "clockwork cascade (2 stencils, 64 wide)", "LUT": 572, "FF": 528, "BRAM18": 4, "DSP": 2, "mhz": 46, "mhz_ram_registers": 58},
    ],
    "skip": [],
}
