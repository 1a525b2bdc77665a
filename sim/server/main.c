/* argent-sim-server: simulated accelerators for programs in other processes (device sim+unix:PATH). See README.md.
 *
 * Each client gets a process of its own, with a simulation in the state after power-on. So no client can harm another, and whatever
 * happens to a client or its process, the accelerator is free for the next. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "argent_platform.h"
#include "argent_server.h"
#include "argent_sim.h"

enum { BAD_USE = 2, MAX_CLIENTS = 64 };

struct options {
    unsigned long memory_mib;
    const char *board; /* behind "platform:"; NULL: sim: */
    char path[sizeof ((struct sockaddr_un *)0)->sun_path];
    char **models; /* of the command line; what stands behind the scheme after `parse` */
    size_t model_count;
    char **command; /* NULL: serve until a signal comes */
};

static volatile sig_atomic_t stopping;

static void stop(int number) { stopping = number; }
static void wake(int number) { (void)number; }

static const char *const usage =
    "argent-sim-server: simulated accelerators for programs in other processes\n"
    "\n"
    "  argent-sim-server [FLAGS] PATH MODEL.so...                  serves at the Unix socket PATH until a signal ends it\n"
    "  argent-sim-server [FLAGS] --run MODEL.so... -- COMMAND...   runs COMMAND with ARGENT_DEVICE set to a server of its own,\n"
    "                                                              and ends with COMMAND's exit status\n"
    "\n"
    "MODEL.so is lib<target>_sim.so of add_argent_accelerator. Programs reach the server as the device sim+unix:PATH.\n"
    "--device=platform:BOARD: the accelerators are on a model of that board, each client's on one of its own.\n"
    "--memory=MIB: MiB of memory that a program may share (1024). Settings of a simulation (ARGENT_SIM_*, see argent_sim.h) are the\n"
    "program's; only ARGENT_SIM_TRACE is this server's.\n";

static int bad_use(const char *what, const char *of) {
    fprintf(stderr, "argent-sim-server: %s%s; --help says more\n", what, of);
    return BAD_USE;
}

/* What stands behind "platform:" for this model on that board. */
static char *on_board(const char *board, char *path) {
    size_t size = strlen(board) + strlen(path) + 16;
    char *place = malloc(size);
    if (place != NULL) snprintf(place, size, "%s,cpu=0,model=%s", board, path);
    free(path);
    return place;
}

/* 0, or an exit status. */
static int parse(int argc, char **argv, struct options *o) {
    int i = 1, run = 0;
    o->memory_mib = 1024;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        char *end = NULL;
        if (strcmp(argv[i], "--run") == 0) {
            run = 1;
        } else if (strncmp(argv[i], "--memory=", 9) == 0) {
            o->memory_mib = strtoul(argv[i] + 9, &end, 10);
            if (argv[i][9] == '-' || end == argv[i] + 9 || *end != 0 || o->memory_mib == 0 || o->memory_mib > 1 << 20)
                return bad_use("--memory wants a number of MiB, not ", argv[i] + 9);
        } else if (strncmp(argv[i], "--device=platform:", 18) == 0 && argv[i][18] != 0) {
            o->board = argv[i] + 18;
        } else if (strncmp(argv[i], "--device=", 9) == 0) {
            return bad_use("--device wants platform:BOARD, not ", argv[i] + 9);
        } else {
            return bad_use("unknown flag ", argv[i]);
        }
    }
    if (!run) {
        if (i == argc) return bad_use("no path for the socket", "");
        if (strlen(argv[i]) >= sizeof o->path) return bad_use("this path is too long for a socket: ", argv[i]);
        strcpy(o->path, argv[i++]);
    }
    o->models = argv + i;
    while (i < argc && !(run && strcmp(argv[i], "--") == 0)) {
        /* Without a slash in its name the loader would look elsewhere. */
        char *path = access(argv[i], R_OK) == 0 ? realpath(argv[i], NULL) : NULL;
        if (path == NULL) return bad_use("cannot read the model ", argv[i]);
        if (o->board != NULL && (path = on_board(o->board, path)) == NULL) return bad_use("out of memory", "");
        argv[i++] = path;
    }
    o->model_count = (size_t)(argv + i - o->models);
    if (o->model_count == 0) return bad_use("no model", "");
    if (run && i + 1 >= argc) return bad_use("no command behind --", "");
    if (run) o->command = argv + i + 1;
    return 0;
}

/* ---- the socket ---- */

/* A socket file that nobody listens on any more is taken over. -1 after a message. */
static int listen_at(const char *path) {
    struct sockaddr_un address;
    memset(&address, 0, sizeof address);
    address.sun_family = AF_UNIX;
    strcpy(address.sun_path, path);
    int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    struct stat status;
    if (s >= 0 && stat(path, &status) == 0 && S_ISSOCK(status.st_mode)) {
        if (connect(s, (struct sockaddr *)&address, sizeof address) == 0) {
            fprintf(stderr, "argent-sim-server: another one listens at %s\n", path);
            close(s);
            return -1;
        }
        if (errno == ECONNREFUSED) unlink(path); /* left by one that was killed; of any other bind says what is wrong */
    }
    mode_t old = umask(0177); /* for this user only */
    int bound = s >= 0 && bind(s, (struct sockaddr *)&address, sizeof address) == 0 && listen(s, 16) == 0;
    umask(old);
    if (bound) return s;
    fprintf(stderr, "argent-sim-server: cannot listen at %s: %s\n", path, strerror(errno));
    if (s >= 0) close(s);
    return -1;
}

static void serve(int client, const struct options *o, int claims, const sigset_t *usual) {
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_SETMASK, usual, NULL);
    struct argent_serve_options options = {o->board != NULL ? argent_platform_backend() : argent_sim_backend(), (const char *const *)o->models, o->model_count, (uint64_t)o->memory_mib << 20, claims};
    char why[512];
    if (argent_serve(client, &options, why, sizeof why) == ARGENT_PROTOCOL)
        fprintf(stderr, "argent-sim-server: a client was sent away: %s\n", why);
    _exit(0);
}

/* ---- the processes ---- */

/* Takes note of those that have ended. 1: the command was among them, `*status` is its exit status. */
static int reap(pid_t command, int *clients, int *status) {
    int how, ended = 0;
    pid_t pid;
    while ((pid = waitpid(-1, &how, WNOHANG)) > 0) {
        if (pid == command) {
            *status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
            ended = 1;
            continue;
        }
        (*clients)--;
        if (WIFSIGNALED(how)) fprintf(stderr, "argent-sim-server: a client's simulation ended by signal %d\n", WTERMSIG(how));
    }
    return ended;
}

/* A process that ends with this one. */
static pid_t start_child(void) {
    pid_t parent = getpid(), pid = fork();
    if (pid != 0) return pid;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(0);
    return 0;
}

static pid_t start_command(const struct options *o, const sigset_t *usual) {
    char uri[sizeof o->path + 16];
    snprintf(uri, sizeof uri, "sim+unix:%s", o->path);
    pid_t pid = start_child();
    if (pid != 0) return pid;
    sigprocmask(SIG_SETMASK, usual, NULL);
    setenv("ARGENT_DEVICE", uri, 1);
    execvp(o->command[0], o->command);
    fprintf(stderr, "argent-sim-server: cannot run %s: %s\n", o->command[0], strerror(errno));
    _exit(127);
}

/* Serves until the command has ended or a signal has come; the exit status. */
static int loop(int listener, const struct options *o) {
    sigset_t caught, usual;
    sigemptyset(&caught);
    sigaddset(&caught, SIGTERM);
    sigaddset(&caught, SIGINT);
    sigaddset(&caught, SIGCHLD);
    sigprocmask(SIG_BLOCK, &caught, &usual); /* they come in ppoll only */
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = stop;
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    action.sa_handler = wake;
    sigaction(SIGCHLD, &action, NULL);

    int claims = memfd_create("argent-claims", MFD_CLOEXEC), clients = 0, status = 0;
    pid_t command = o->command != NULL ? start_command(o, &usual) : 0;
    if (claims < 0 || command < 0) {
        fprintf(stderr, "argent-sim-server: %s\n", strerror(errno));
        return 1;
    }
    while (!stopping) {
        struct pollfd wanted = {listener, POLLIN, 0};
        int news = ppoll(&wanted, 1, NULL, &usual);
        if (reap(command, &clients, &status)) return status;
        if (news <= 0) continue;
        int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (client < 0) continue;
        pid_t pid = clients < MAX_CLIENTS ? start_child() : -1;
        if (pid == 0) {
            close(listener);
            serve(client, o, claims, &usual);
        }
        if (pid > 0)
            clients++;
        else
            fprintf(stderr, "argent-sim-server: a client was sent away: %d are being served\n", clients);
        close(client);
    }
    return o->command != NULL ? 128 + stopping : 0;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--help") == 0) {
        fputs(usage, stdout);
        return 0;
    }
    struct options o;
    memset(&o, 0, sizeof o);
    int code = parse(argc, argv, &o);
    if (code != 0) return code;

    char folder[] = "/tmp/argent-XXXXXX";
    if (o.command != NULL) {
        if (mkdtemp(folder) == NULL) {
            fprintf(stderr, "argent-sim-server: no folder in /tmp: %s\n", strerror(errno));
            return 1;
        }
        snprintf(o.path, sizeof o.path, "%s/socket", folder);
    }
    int listener = listen_at(o.path);
    if (listener >= 0 && o.command == NULL) {
        printf("argent-sim-server: listening at %s\n", o.path);
        fflush(stdout);
    }
    code = listener >= 0 ? loop(listener, &o) : 1;
    if (listener >= 0) unlink(o.path);
    if (o.command != NULL) rmdir(folder);
    return code;
}
