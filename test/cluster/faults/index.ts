import { addressFaults } from "./address";
import { changeFaults } from "./changes";
import { clockFaults } from "./clock";
import { diskFaults } from "./disk";
import { etcdFaults } from "./etcd";
import type { Fault } from "./fault";
import { podFaults } from "./pods";
import { powerFaults } from "./power";
import { processFaults } from "./processes";
import { tokenFaults } from "./token";

export { type Fault, type Scene, targets } from "./fault";
export { apiAnswers, isWhole } from "./whole";

/** Every fault that a cluster must survive: docs/faults.md. */
export const faults: readonly Fault[] = [
    ...podFaults,
    ...processFaults,
    ...powerFaults,
    ...addressFaults,
    ...etcdFaults,
    ...diskFaults,
    ...changeFaults,
    ...tokenFaults,
    ...clockFaults,
];

/** The fault with a name. */
export function faultNamed(name: string): Fault {
    const fault = faults.find((each) => each.name === name);
    if (!fault) throw new Error(`fault must be one of ${faults.map((each) => each.name).join(", ")} (got ${name})`);
    return fault;
}
