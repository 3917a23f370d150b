import { cacheDir, type EtcdVersion, type KubernetesVersion } from "../artifacts";
import { enginePrerequisites, list, runningEngine } from "../machines";
import { missingArtifacts, missingTools } from "./missing-artifacts";
import { installPackages } from "./packages";
import { requireResources, supplied } from "./resources";

export interface Wanted {
    readonly name: string;
    readonly kubernetes: KubernetesVersion;
    /** @default - the default version */
    readonly etcd?: EtcdVersion;
    readonly controllers: number;
    readonly workers: number;
}

/** Checks what this computer has to give, and installs what is missing where that can be done. */
export async function preflight(wanted: Wanted, say: (line: string) => void): Promise<void> {
    const missing = await missingArtifacts(wanted.kubernetes, wanted.etcd);
    const engine = await runningEngine();
    const machines = engine ? (await list(wanted.name)).filter(({ role }) => role === "machine") : [];
    const controllers = machines.filter(({ name }) => name.startsWith(`${wanted.name}-controller-`)).length;
    requireResources(
        {
            isCold: missing.length > 0,
            controllers: Math.max(0, wanted.controllers - controllers),
            workers: Math.max(0, wanted.workers - (machines.length - controllers)),
        },
        await supplied(cacheDir()),
        cacheDir(),
    );
    await installPackages([...(engine ? [] : enginePrerequisites()), ...missingTools(missing)], say);
    say(engine ? `Docker engine ${engine.version} is running` : "no Docker engine is running yet");
    say(
        missing.length === 0
            ? "every artifact is in the cache"
            : `${missing.length} artifacts are not in the cache yet`,
    );
}
