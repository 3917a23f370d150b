import { staticPodFile } from "./files";

/** Copies of the checkpointer, and static pods of the bootstrap. */
const others = /^(checkpoint|bootstrap)-.+\.json$/;

/** Files among a kubelet's static pods that are not the stack's. It reads every name without a leading dot. */
export function strayFiles(names: readonly string[]): string[] {
    return names.filter((name) => !name.startsWith(".") && name !== staticPodFile && !others.test(name)).sort();
}
