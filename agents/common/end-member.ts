import { setTimeout as sleep } from "node:timers/promises";
import { endProcess, killProcess, memberProcess } from "./etcd-process";

/**
 * What a member that was asked to end has for what is on its way. It takes no more requests then, but lets watches go on for
 * up to 7 seconds, its own limit: a kube-apiserver that has no other member waits as long. Its data bear to be killed as
 * they bear a power cut.
 */
export const endMilliseconds = 500;

const lookMilliseconds = 20;

/** Has a member's process end: in good order, if that takes no time. */
export async function endMember(data: string, pid: number): Promise<void> {
    endProcess(pid);
    const deadline = performance.now() + endMilliseconds;
    while (memberProcess(data)?.pid === pid) {
        if (performance.now() >= deadline) {
            return killProcess(pid);
        }
        await sleep(lookMilliseconds);
    }
}
