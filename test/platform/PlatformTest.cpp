// The board around a tiny accelerator: pixels, clocks, memory and who gets how much of it, the report, and mistakes.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <memory>
#include <thread>

#include "Scene.h"

TEST_CASE("ideal memory: clocks are those of sim:, whatever the size") {
    for (int width : {1, 9, 128, 300, 1000})
        for (int height : {1, 7}) {
            CAPTURE(width);
            CAPTURE(height);
            CHECK(clocks_on("platform:pynq-z2,cpu=0,memory=ideal,report=ideal.json", width, height) == clocks_on("sim:", width, height));
        }
}

TEST_CASE("every board gives right pixels, again and again") {
    for (const char *board : {"pynq-z2", "zcu104", "ulx3s"}) {
        CAPTURE(board);
        Scene s(std::string("platform:") + board + ",cpu=0,report=board.json", 203, 5);
        for (int i = 1; i < 4; i++) {
            CHECK(s.launch(i) == ARGENT_OK);
            CHECK(s.wrong() == 0);
        }
    }
}

TEST_CASE("the same launches take the same clocks in every run") {
    const char *uri = "platform:ulx3s,cpu=0,report=same.json";
    CHECK(clocks_on(uri) == clocks_on(uri));
}

TEST_CASE("a slower memory takes more clocks") {
    uint64_t last = 0;
    for (int mb : {3200, 320, 32}) {
        uint64_t clocks = clocks_on("platform:pynq-z2,cpu=0,report=slow.json,ddr=" + std::to_string(mb));
        CAPTURE(mb);
        CHECK(clocks > last);
        last = clocks;
    }
    nlohmann::json report = read_report("slow.json");
    CHECK(report["memory"]["busy"] > 0.85);
    CHECK(report["launches"] == 1);
    CHECK(report["memory"]["bytes_read"] == 9 * 38 * 8);
    // 300 x 9 bytes each way at 32 MB/s cannot take less than this.
    CHECK(report["seconds"]["total"] >= 2 * 2700 / 32e6);
}

TEST_CASE("a memory that is refreshed half of the time has half of the bandwidth") {
    auto clocks = [](double refresh_ns) {
        return clocks_on("platform:" + board_file("refresh.toml", 2, 8, 40, refresh_ns) + ",report=refresh.json", 1000, 20);
    };
    double ratio = double(clocks(500)) / double(clocks(0));
    CHECK(ratio > 1.8);
    CHECK(ratio < 2.2);
}

TEST_CASE("two accelerators share the bandwidth, fairly") {
    const std::string uri = "platform:pynq-z2,cpu=0,ddr=40,report=two.json";
    uint64_t alone = clocks_on(uri, 1000, 20);
    Scene a(uri, 1000, 20), b(uri, 1000, 20);
    a.start();
    b.start();
    CHECK(a.finish() == ARGENT_OK);
    CHECK(b.finish() == ARGENT_OK);
    CHECK(a.wrong() + b.wrong() == 0);
    double ratio = double(a.clocks()) / double(b.clocks()), together = double(a.clocks()) / double(alone);
    CHECK(ratio > 0.97);
    CHECK(ratio < 1.03);
    CHECK(together > 1.8);
    CHECK(together < 2.2);
}

TEST_CASE("ports: images that share one take turns, more of them help") {
    uint64_t clocks[2];
    for (int ports : {1, 2}) {
        const std::string uri = "platform:" + board_file("ports.toml", ports, 1, 10000) + ",report=ports.json";
        {
            Scene a(uri, 1000, 10), b(uri, 1000, 10);
            a.start();
            b.start();
            CHECK(a.finish() == ARGENT_OK);
            CHECK(b.finish() == ARGENT_OK);
            CHECK(a.wrong() + b.wrong() == 0);
            clocks[ports - 1] = a.clocks() + b.clocks();
        }
        nlohmann::json report = read_report("ports.json");
        CHECK(report["channels"].size() == size_t(2 * ports));
        CHECK(report["channels"][0]["images"].size() == size_t(3 - ports));
    }
    CHECK(double(clocks[0]) > 1.3 * double(clocks[1]));
}

TEST_CASE("the option ports deals the images to fewer ports") {
    Scene *a = new Scene("platform:pynq-z2,cpu=0,ports=1,report=dealt.json"), *b = new Scene("platform:pynq-z2,cpu=0,ports=1,report=dealt.json");
    CHECK(a->launch() == ARGENT_OK);
    CHECK(b->launch() == ARGENT_OK);
    delete a;
    delete b;
    nlohmann::json images = read_report("dealt.json")["channels"][0]["images"];
    CHECK(images == nlohmann::json{"increment.m_axi_in", "increment.m_axi_in"});
}

TEST_CASE("a launch that is cancelled leaves the accelerator usable") {
    Scene s("platform:ulx3s,cpu=0,report=cancel.json", 1000, 60);
    argent_ticket t = s.start();
    CHECK(argent_wait(s.device, t, 0) == ARGENT_TIMEOUT);
    CHECK(argent_cancel(s.device, t) == ARGENT_OK);
    CHECK(argent_wait(s.device, t, -1) == ARGENT_CANCELLED);
    s.unmap();
    CHECK(s.launch(9) == ARGENT_OK);
    CHECK(s.wrong() == 0);
}

TEST_CASE("what the program computes passes on the board, as many times as long as it says") {
    const char *uri = "platform:pynq-z2,cpu=50,report=host.json";
    {
        Scene s(uri);
        CHECK(argent_platform_frame_begin(uri) == ARGENT_OK);
        CHECK(s.launch() == ARGENT_OK);
        std::clock_t begin = std::clock();
        while (std::clock() - begin < CLOCKS_PER_SEC / 50) {
        }  // 20 ms, 1 s there
        CHECK(argent_platform_frame_end(uri) == ARGENT_OK);
        CHECK(s.launch() == ARGENT_OK);  // in no frame
    }
    nlohmann::json report = read_report("host.json");
    CHECK(report["frames"] == 1);
    CHECK(report["launches"] == 1);
    CHECK(report["seconds"]["host"] > 0.9);
    CHECK(report["seconds"]["host"] < 10.0);
    CHECK(report["limit"] == "the processor: host stages take longer than the accelerators");
    double parts = 0;
    for (const char *part : {"computing", "reading", "writing", "driver", "host"}) parts += report["seconds"][part].get<double>();
    CHECK(parts == doctest::Approx(report["seconds"]["total"].get<double>()).epsilon(0.001));
}

TEST_CASE("threads compute at the same time, and one after the other where one waits for the other one") {
    const char *uri = "platform:pynq-z2,cpu=0,report=threads.json";
    for (bool waits : {false, true}) {
        Scene s(uri);
        CHECK(argent_platform_frame_begin(uri) == ARGENT_OK);
        uint64_t begins = 0, ends = 0;
        CHECK(argent_platform_time(uri, &begins) == ARGENT_OK);
        std::thread other([&] {
            argent_platform_after(uri, begins);
            argent_platform_compute(uri, 2e-3);
            argent_platform_time(uri, &ends);
        });
        if (waits) {
            other.join();
            CHECK(argent_platform_after(uri, ends) == ARGENT_OK);
        }
        CHECK(argent_platform_compute(uri, 1e-3) == ARGENT_OK);
        CHECK(s.launch() == ARGENT_OK);
        if (!waits) {
            other.join();
            CHECK(argent_platform_after(uri, ends) == ARGENT_OK);
        }
        CHECK(ends - begins == 2000000000);
        CHECK(argent_platform_frame_end(uri) == ARGENT_OK);
        CHECK(s.wrong() == 0);
        argent_close(s.device);
        s.device = nullptr;
        const nlohmann::json seconds = read_report("threads.json")["seconds"];
        if (waits) CHECK(seconds["host"] == doctest::Approx(3e-3));
        else CHECK(seconds["total"] == doctest::Approx(2e-3));
        CHECK(seconds["host"].get<double>() + seconds["host_beside"].get<double>() == doctest::Approx(waits ? 3e-3 : 2e-3));
    }
    uint64_t time = 1;
    CHECK(argent_platform_time("sim:", &time) == ARGENT_OK);
    CHECK(time == 0);
    CHECK(argent_platform_after("sim:", 5) == ARGENT_OK);
    CHECK(argent_platform_after("platform:nonesuch", 5) == ARGENT_NO_DEVICE);
}

TEST_CASE("small launches are limited by the driver") {
    {
        Scene s("platform:pynq-z2,cpu=0,report=driver.json", 8, 1);
        for (int i = 0; i < 5; i++) CHECK(s.launch() == ARGENT_OK);
    }
    CHECK(read_report("driver.json")["limit"] ==
          "the processor: register accesses and interrupts take longer than the accelerators; larger blocks would help");
}

TEST_CASE("frames of other devices are nothing, and cost nothing") {
    CHECK(argent_platform_frame_begin("sim:") == ARGENT_OK);
    CHECK(argent_platform_frame_end("sim:") == ARGENT_OK);
    CHECK(argent_platform_frame_begin("platform:nonesuch") == ARGENT_NO_DEVICE);
    CHECK(std::string(argent_platform_text()) ==
          "device \"platform:nonesuch\": there is no board \"nonesuch\"; there are pynq-z2, ulx3s, zcu104, and files such as platform:./board.toml");
}

TEST_CASE("mistakes in a URI or a board's file") {
    std::ofstream("broken.toml") << "name = \n";
    std::ofstream("poor.toml")
        << "name = \"poor\"\nclock_mhz = -5\n[memory]\nports = 2.5\nport_bytes = 8\noutstanding = 4\n"
           "[ddr]\nmb_per_second = \"many\"\nread_latency_ns = 1\nwrite_latency_ns = 1\nbanks = 8\nrow_bytes = 1\nrow_miss_ns = 0\n"
           "turnaround_ns = 0\nrefresh_interval_ns = 10\nrefresh_ns = 0\n[cpu]\nslowdown = 1\nregister_ns = 1\ninterrupt_ns = 1\n";
    struct Case {
        const char *uri, *text;
    };
    const Case cases[] = {
        {"platform:nonesuch", "there is no board \"nonesuch\"; there are pynq-z2, ulx3s, zcu104, and files such as platform:./board.toml"},
        {"platform:pynq-z2,speed=3",
         "unknown option \"speed=3\"; there are clock=MHZ, ports=N, ddr=MB_PER_SECOND, cpu=SLOWDOWN, memory=ideal, report=FILE"},
        {"platform:pynq-z2,ports=0", "option ports=0: expected a whole number of at least 1"},
        {"platform:pynq-z2,ports=1.5", "option ports=1.5: expected a whole number of at least 1"},
        {"platform:pynq-z2,clock=fast", "option clock=fast: expected a number above 0"},
        {"platform:pynq-z2,memory=best", "option memory=best: the only other memory is memory=ideal"},
        {"platform:./absent.toml", "./absent.toml: File could not be opened for reading"},
        {"platform:poor.toml",
         "poor.toml:2: clock_mhz is -5; it should be a number above 0\n"
         "poor.toml:4: [memory] ports is 2.5; it should be a whole number\n"
         "poor.toml:8: [ddr] mb_per_second should be a number above 0\n"
         "poor.toml: [ddr] queue is missing"},
    };
    for (const Case &c : cases) {
        argent_device *d = nullptr;
        CHECK(argent_open(c.uri, "increment", &d) == ARGENT_NO_DEVICE);
        CHECK(std::string(argent_open_text()) == std::string("device \"") + c.uri + "\": " + c.text);
    }
    argent_device *d = nullptr;
    CHECK(argent_open("platform:broken.toml", "increment", &d) == ARGENT_NO_DEVICE);
    CHECK(std::string(argent_open_text()).rfind("device \"platform:broken.toml\": broken.toml:1: ", 0) == 0);
    const std::string bad_refresh = "platform:" + board_file("bad_refresh.toml", 2, 8, 40, 1000);
    CHECK(argent_open(bad_refresh.c_str(), "increment", &d) == ARGENT_NO_DEVICE);
    CHECK(std::string(argent_open_text()) ==
          "device \"" + bad_refresh +
              "\": ./bad_refresh.toml: [ddr] refresh_ns is 1000 and refresh_interval_ns is 1000: nothing would be left for data");
}

TEST_CASE("a process is on one board at a time, with room for eight accelerators") {
    {
        Scene first("platform:pynq-z2,report=one.json");
        argent_device *d = nullptr;
        CHECK(argent_open("platform:zcu104", "increment", &d) == ARGENT_NO_DEVICE);
        CHECK(
            std::string(argent_open_text()) ==
            "device \"platform:zcu104\": this process is on platform:pynq-z2,report=one.json; it can be on another one when all devices are closed");
        argent_device *more[7] = {};
        for (argent_device *&m : more) CHECK(argent_open("platform:pynq-z2,report=one.json", "increment", &m) == ARGENT_OK);
        CHECK(argent_open("platform:pynq-z2,report=one.json", "increment", &d) == ARGENT_NO_DEVICE);
        CHECK(std::string(argent_open_text()) ==
              "device \"platform:pynq-z2,report=one.json\": 8 accelerators are on the board, there is no room for more");
        for (argent_device *m : more) argent_close(m);
    }
    Scene second("platform:zcu104,cpu=0,report=one.json");
    CHECK(second.launch() == ARGENT_OK);
}

TEST_CASE("an accelerator without a model is not on the board") {
    argent_device *d = nullptr;
    CHECK(argent_open("platform:pynq-z2", "nonesuch", &d) == ARGENT_NO_ACCELERATOR);
    CHECK(std::string(argent_open_text()).rfind("device \"platform:\" has no model of \"nonesuch\" (linked models: increment)", 0) == 0);
}

TEST_CASE("faults are found as on sim:, and the accelerator works after them") {
    argent_sim_settings settings;
    argent_sim_defaults(&settings);
    settings.watchdog = 3000;
    settings.fault = ARGENT_FAULT_SILENT;
    settings.fault_port = "m_axi_in";
    settings.fault_at = 20;
    argent_sim_set(&settings);
    Scene s("platform:pynq-z2,cpu=0,report=fault.json");
    CHECK(s.launch() == ARGENT_STUCK);
    CHECK(std::string(argent_device_text(s.device)).find("m_axi_in: the core waits for R of the memory") != std::string::npos);
    argent_sim_defaults(&settings);
    argent_sim_set(&settings);
    CHECK(s.launch() == ARGENT_OK);
    CHECK(s.wrong() == 0);
}

namespace {

/** Strips of an image, one launch each: `made` computes strip n, then it is launched; up to `deep` launches are in flight. Seconds of the board. */
double strips(const std::string &uri, const std::string &report, int rows, int count, int deep, double host_seconds) {
    {
        std::vector<std::unique_ptr<Scene>> scenes;
        argent_device *device = nullptr;
        REQUIRE(argent_open(uri.c_str(), "increment", &device) == ARGENT_OK);
        for (int n = 0; n < deep; n++) scenes.push_back(std::make_unique<Scene>(device, 1000, rows));
        CHECK(argent_platform_frame_begin(uri.c_str()) == ARGENT_OK);
        for (int n = 0; n < count; n++) {
            Scene &s = *scenes[size_t(n % deep)];
            if (n >= deep) {
                CHECK(s.finish() == ARGENT_OK);
                CHECK(s.wrong() == 0);
            }
            CHECK(argent_platform_compute(uri.c_str(), host_seconds) == ARGENT_OK);
            s.start(n);
        }
        for (int n = 0; n < deep; n++) {
            CHECK(scenes[size_t((count + n) % deep)]->finish() == ARGENT_OK);
            CHECK(scenes[size_t((count + n) % deep)]->wrong() == 0);
        }
        CHECK(argent_platform_frame_end(uri.c_str()) == ARGENT_OK);
        std::ofstream("timeline.json") << argent_platform_timeline();
        scenes.clear();
        argent_close(device);
    }
    return read_report(report)["seconds"]["total"];
}

}  // namespace

TEST_CASE("frames that follow each other take no longer than the accelerator's own clocks") {
    const std::string uri = "platform:pynq-z2,cpu=0,memory=ideal,report=follow.json";
    const int frames = 100;
    const uint64_t clocks = clocks_on("platform:pynq-z2,cpu=0,memory=ideal,report=alone.json", 1000, 10);
    const double alone = double(clocks) / 150e6;  // the board's clock
    const double one_by_one = strips(uri, "follow.json", 10, frames, 1, 0) / frames, queued = strips(uri, "follow.json", 10, frames, 2, 0) / frames;
    MESSAGE("a frame of ", clocks, " clocks: ", one_by_one / alone, " of its time one by one, ", queued / alone, " with two in the queue");
    CHECK(queued <= 1.02 * alone);
    CHECK(one_by_one > 1.02 * alone);
    CHECK(read_report("follow.json")["launches"] == frames);
    CHECK(read_report("follow.json")["clocks"] == frames * clocks);
}

TEST_CASE("host and accelerator work at the same time: strips of a balanced pipeline") {
    const std::string uri = "platform:pynq-z2,cpu=0,report=strips.json";
    const int rows = 60, count = 60;
    // The host's part of a strip takes as long as the accelerator's.
    const double strip = strips(uri, "strips.json", rows, 1, 1, 0);
    const double own = read_report("strips.json")["seconds"]["computing"].get<double>() + read_report("strips.json")["seconds"]["reading"].get<double>() +
                       read_report("strips.json")["seconds"]["writing"].get<double>();
    CHECK(own < strip);
    const double one_by_one = strips(uri, "strips.json", rows, count, 1, own), total = strips(uri, "strips.json", rows, count, 2, own);
    const nlohmann::json seconds = read_report("strips.json")["seconds"];
    const double host = seconds["host"].get<double>() + seconds["host_beside"].get<double>();
    const double accelerator = seconds["computing"].get<double>() + seconds["reading"].get<double>() + seconds["writing"].get<double>();
    MESSAGE("host ", host * 1e3, " ms, accelerator ", accelerator * 1e3, " ms, total ", total * 1e3, " ms; one after the other ", one_by_one * 1e3, " ms");
    CHECK(host == doctest::Approx(count * own));
    CHECK(accelerator > 0.95 * host);
    CHECK(total <= 1.05 * std::max(host, accelerator));
    CHECK(one_by_one > 1.9 * host);
    CHECK(strips(uri, "strips.json", rows, count, 2, own) == total);  // the same in every run

    // The timeline says so, too: while a launch runs, the next strip is computed, and the launches follow each other.
    const nlohmann::json timeline = read_report("timeline.json");
    CHECK(timeline["end"].get<double>() == doctest::Approx(total * 1e6));
    std::map<std::string, nlohmann::json> lanes;
    for (const auto &lane : timeline["lanes"]) lanes[lane["name"]] = lane["spans"];
    REQUIRE(lanes.size() == 4);
    const nlohmann::json &program = lanes.at("program"), &launches = lanes.at("increment");
    CHECK(lanes.at("increment.m_axi_in").size() >= 1);
    CHECK(lanes.at("increment.m_axi_out")[0][0] == "write");
    REQUIRE(launches.size() == size_t(count));
    double beside = 0, busy = 0;
    for (const auto &l : launches) {
        CHECK(l[0] == "launch");
        busy += l[2].get<double>() - l[1].get<double>();
        for (const auto &p : program)
            if (p[0] == "host") beside += std::max(0.0, std::min(l[2].get<double>(), p[2].get<double>()) - std::max(l[1].get<double>(), p[1].get<double>()));
    }
    CHECK(busy == doctest::Approx(accelerator * 1e6).epsilon(0.01));
    CHECK(beside == doctest::Approx(seconds["host_beside"].get<double>() * 1e6).epsilon(0.01));
    CHECK(beside > 0.9 * busy);
}
