#ifndef ARGENT_RUNTIME_TOOL_DEVICES_H
#define ARGENT_RUNTIME_TOOL_DEVICES_H

#include <string>

namespace argent::tool {

/** The devices that a program can open here, a line each: URI and what is there. Models of ARGENT_SIM_PATH, UIO devices and their memory (below
 *  ARGENT_UIO_ROOT), and the device of ARGENT_DEVICE. Opens none of them. */
std::string list_devices();

}  // namespace argent::tool

#endif
