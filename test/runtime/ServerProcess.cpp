#include "ServerProcess.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>

#include "FakeDevice.h"
#include "argent_server.h"

static sockaddr_un address_of(const std::string &path) {
    sockaddr_un a{};
    a.sun_family = AF_UNIX;
    std::strncpy(a.sun_path, path.c_str(), sizeof a.sun_path - 1);
    return a;
}

ServerProcess::ServerProcess(unsigned long long memory) {
    char folder[] = "/tmp/argent-test-XXXXXX";
    if (mkdtemp(folder) == nullptr) throw std::runtime_error("mkdtemp");
    path = std::string(folder) + "/socket";
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    sockaddr_un a = address_of(path);
    if (bind(listener, reinterpret_cast<sockaddr *>(&a), sizeof a) != 0 || listen(listener, 4) != 0) throw std::runtime_error("bind");
    pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        static const char *const places[] = {"here"};
        argent_serve_options options{FakeDevice::backend(), places, 1, memory, -1};
        for (;;) {
            int client = accept(listener, nullptr, nullptr);
            char why[256];
            argent_serve(client, &options, why, sizeof why);
            close(client);
        }
    }
    close(listener);
}

ServerProcess::~ServerProcess() {
    if (pid > 0) kill(SIGKILL);
    unlink(path.c_str());
    rmdir(path.substr(0, path.rfind('/')).c_str());
}

void ServerProcess::kill(int signal) {
    ::kill(pid, signal);
    if (signal != SIGKILL) return;
    waitpid(pid, nullptr, 0);
    pid = -1;
}

bool ServerProcess::alive() { return pid > 0 && waitpid(pid, nullptr, WNOHANG) == 0; }

int ServerProcess::connect() const {
    int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    sockaddr_un a = address_of(path);
    if (::connect(s, reinterpret_cast<sockaddr *>(&a), sizeof a) != 0) throw std::runtime_error("connect");
    return s;
}
