import type * as machines from "../../../machines";

const nothing = async () => {};

// Replaces `machines` in a simulated cloud in a dry run.
export { DockerError } from "../../../machines/docker";
export { containerName, macAddress } from "../../../machines/names";
export { overlaps } from "../../../machines/subnets";
export const {
    attachDisk,
    copyDisk,
    consoleLog,
    createMachine,
    createNetwork,
    destroyDisk,
    destroyLoadBalancer,
    destroyMachine,
} = {
    attachDisk: nothing,
    copyDisk: nothing,
    consoleLog: async () => "",
    createMachine: nothing,
    createNetwork: nothing,
    destroyDisk: nothing,
    destroyLoadBalancer: nothing,
    destroyMachine: nothing,
} satisfies Partial<typeof machines>;
export const { destroyNetwork, detachDisk, docker, ensureLoadBalancer, exec, growDisk, list } = {
    destroyNetwork: nothing,
    detachDisk: nothing,
    docker: async () => "",
    ensureLoadBalancer: nothing,
    exec: async () => "",
    growDisk: nothing,
    list: async () => [],
} satisfies Partial<typeof machines>;
export const { machineStates, powerOff, powerOn, setPacketFilter, shutDown, unplugDisk } = {
    machineStates: async () => ({}),
    powerOff: nothing,
    powerOn: nothing,
    setPacketFilter: nothing,
    shutDown: nothing,
    unplugDisk: nothing,
} satisfies Partial<typeof machines>;
