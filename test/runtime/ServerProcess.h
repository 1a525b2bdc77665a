#ifndef ARGENT_TEST_SERVER_PROCESS_H
#define ARGENT_TEST_SERVER_PROCESS_H

#include <sys/types.h>

#include <string>

/** A process that serves the device `fake:` (as FakeDevice::now() is when it is made) at a Unix socket, one client after the other. */
class ServerProcess {
public:
    explicit ServerProcess(unsigned long long memory = 256 << 20);
    ~ServerProcess();
    ServerProcess(const ServerProcess &) = delete;

    std::string uri() const { return "sim+unix:" + path; }
    /** A connection without anything said on it. */
    int connect() const;
    void kill(int signal);
    /** Whether the process still serves. */
    bool alive();

private:
    std::string path;
    pid_t pid;
};

#endif
