import { cloudNames, clouds } from "../../cluster/clouds";
import { documented } from "../clouds";
import type { Contract } from "./contract";

/** A Deployment or DaemonSet of a cloud, with the contract of each of its containers. */
export interface Workload {
    /** The cloud's title. */
    readonly cloud: string;
    readonly name: string;
    readonly containers: Readonly<Record<string, Contract>>;
}

export const workloads: readonly Workload[] = cloudNames.flatMap((cloud) =>
    Object.entries(documented[cloud].workloads).map(([name, containers]) => ({
        ...{ cloud: clouds[cloud].title, name, containers },
    })),
);
