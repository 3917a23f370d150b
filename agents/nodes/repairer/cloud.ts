export interface Machine {
    /** Its node's. */
    readonly name: string;
    readonly isController: boolean;
}

/**
 * How a cloud repairs a machine. Each call may be repeated. It throws what may succeed later.
 * @returns why only a person can do it; undefined if the cloud does it
 */
export interface CloudMachines {
    restarting(machine: Machine): Promise<string | undefined>;
    replacing(machine: Machine): Promise<string | undefined>;
}
