import { join } from "node:path";
import { binaryPlace, cacheDir } from "../cache";
import { type KubernetesVersion, versions } from "../versions";
import { e2eTests, kubernetes, node, parts, pause, testParts } from "./lock";

/** Path of a program in the cache, such as `pulumi`, `kubectl` or `etcdctl`. */
export function programPath(program: string, kubernetesVersion: KubernetesVersion = versions.kubernetes): string {
    const part = [kubernetes(kubernetesVersion), ...Object.values({ ...parts, ...testParts }), e2eTests].find(
        ({ go }) => go.binaries[program],
    );
    const single = [node, pause].find(({ name }) => name === program);
    const owner = part ?? single;
    if (!owner) {
        throw new Error(`program must be one of the lock's binaries (got ${program})`);
    }
    return join(cacheDir(), binaryPlace(owner, program));
}
