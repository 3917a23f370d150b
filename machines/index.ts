export type { Stage } from "../agents/boot/bootstrap/progress";
export { askMachine, clusterNetworks, listMachines } from "./ask";
export type { BalancedPort, CheckPace } from "./balanced-port";
export { type BootstrapWaitOptions, describeStage, lastLines, startBootstrap, waitForBootstrap } from "./bootstrap";
export { ASKED_BY, type CloudServices, SERVICES_SOCKET } from "./cloud-services";
export { createNetwork, destroyCluster, destroyNetwork, type Listed, list, machineStates } from "./cluster";
export {
    type AttachedDisk,
    attachDisk,
    copyDisk,
    type Disk,
    destroyDisk,
    detachDisk,
    growDisk,
    unplugDisk,
} from "./disks";
export { DockerError, docker, exec, execInteractive } from "./docker";
export { type Engine, enginePrerequisites, ensureEngine, type Prerequisite, runningEngine, stopEngine } from "./engine";
export { ensureImage } from "./image";
export { type ApiCheck, destroyLoadBalancer, ensureLoadBalancer, type LoadBalancerOptions } from "./load-balancer";
export { collectLogs } from "./logs";
export { consoleLog, createMachine, destroyMachine, powerOn } from "./machine";
export type { CloudPlace, MachineOptions } from "./machine-container";
export { containerName, macAddress } from "./names";
export { type ClusterNetwork, findNetwork } from "./network";
export { isOff, leaveFile, type MachineFile } from "./off";
export { MACHINE_OSES, type MachineOs, OS_LIKES, type OsLike, osesOf } from "./os-like";
export { setPacketFilter } from "./packet-filter";
export { powerCut, powerOff, reboot, shutDown, wake } from "./power";
export { freeSubnet, overlaps, pickSubnet } from "./subnets";
export { type TarEntry, tar } from "./tar";
