/** What a machine's own member is called among its processes where it gives way to a pod of the API: docs/levels.md. */
export const standingName = "etcd-standing";

/** The same of that pod. */
export const podName = "etcd-pod";

/** Who started a member: the machine's static pod, by itself or as the one that gives way, or a pod of the API. */
export type Runner = "plain" | "standing" | "pod";

/** Whether a static pod's command has its member give way to a pod of the API. */
export function isStanding(command: readonly string[]): boolean {
    return runnerOf(command) === "standing";
}

/** Which of them a command line is of: `/bin/sh -c <script> <name> …`. */
export function runnerOf([, , , name]: readonly string[]): Runner {
    return name === standingName ? "standing" : name === podName ? "pod" : "plain";
}

/** etcd's flags in a static pod's command: behind its script's name and images, where it has one. */
export function flagsOf(command: readonly string[]): readonly string[] {
    return command.slice(isStanding(command) ? 5 : 1);
}

/**
 * The word before the flags, which says of what the pod is made. So a process shows which pod it is of: the kubelet starts
 * none anew for another image of a volume.
 */
export function imagesWord(shell: string, etcd: string): string {
    return `${shell},${etcd}`;
}

/** The image of etcd that a static pod's container runs. */
export function etcdImageOf(image: string, command: readonly string[]): string {
    return isStanding(command) ? (command[4]?.split(",")[1] ?? "") : image;
}

/** The lock of an agent at work on a machine's member: of `takeLock`. */
export function memberLock(data: string): string {
    return `${data}.agent`;
}

/** The lock of an agent that has the member run as the machine's own alone, for as long as it is at work: of `takeLock`. */
export function handBackLock(data: string): string {
    return `${data}.hand-back`;
}
