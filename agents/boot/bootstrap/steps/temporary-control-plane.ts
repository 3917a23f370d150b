import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describePassing } from "../../../../clients/kubernetes/api-error";
import type { Version } from "../../../../clients/kubernetes/objects";
import { probe } from "../../../../clients/probe";
import { syncDirectory, writeDurably } from "../../../harness/durable";
import { waitFor } from "../../../harness/wait";
import { ApiWatch } from "../api-watch";
import type { Run, Step } from "../run";
import { isRunning, removeStaticPod, startStaticPod, temporaryApiserver, waitUntilStopped } from "../static-pods";

const defaultLongestSilence = 10;

/** Stops the temporary apiserver without interrupting the API. */
export const stopTemporaryApiserver: Step = {
    name: "stop-temporary-apiserver",
    run: async (run) => {
        const { plan, api } = run;
        if (!(await isRunning(plan, temporaryApiserver(plan)))) {
            return "already stopped";
        }
        const watch = new ApiWatch(api);
        try {
            await waitForAnswer(run, watch);
            await stop(run, watch);
        } finally {
            await watch.stop();
            api.reconnect();
        }
        return `stopped; ${watch.summary()} through ${plan.apiServer}`;
    },
};

async function stop(run: Run, watch: ApiWatch): Promise<void> {
    const { plan } = run;
    const component = temporaryApiserver(plan);
    const longestSilence = plan.longestSilenceSeconds ?? defaultLongestSilence;
    const guard = () => {
        if (watch.isSilentFor(longestSilence)) {
            startStaticPod(plan, component);
            throw new Error(
                `the API stopped answering (${watch.lastFailure}), so the temporary kube-apiserver was started again`,
            );
        }
    };
    removeStaticPod(plan, component);
    await waitUntilStopped(run, component, guard);
    await waitForAnswer(run, watch, guard);
}

/** Waits for the answer to a request sent from now on. */
async function waitForAnswer(run: Run, watch: ApiWatch, guard = () => {}): Promise<void> {
    // The next answer may be to an earlier request.
    const required = watch.answers + 2;
    await waitFor(run, `the API at ${run.plan.apiServer}`, async () => {
        guard();
        return watch.answers >= required ? undefined : (watch.lastFailure ?? "no answer yet");
    });
}

/** Copies the secrets to where the temporary static pods mount them: the whole set or none of it. */
export const installSecrets: Step = {
    name: "install-secrets",
    run: async ({ plan, state }) => {
        if (!state.needsTemporary) {
            return "not needed";
        }
        const source = join(plan.directories.assets, "secrets");
        const target = plan.directories.secrets;
        const files = listFiles(source);
        if (existsSync(target) && isSame(source, target, files)) {
            return `${files.length} files already in place`;
        }
        const next = `${target}.next`;
        rmSync(next, { recursive: true, force: true });
        mkdirSync(next, { recursive: true, mode: 0o700 });
        for (const file of files) {
            mkdirSync(dirname(join(next, file)), { recursive: true, mode: 0o700 });
            writeDurably(join(next, file), readFileSync(join(source, file), "utf8"));
        }
        // A directory cannot be renamed over a non-empty one. Nothing reads it in between: without the new set there is
        // no static pod.
        rmSync(target, { recursive: true, force: true });
        renameSync(next, target);
        syncDirectory(dirname(target));
        return `${files.length} files in ${target}`;
    },
};

function isSame(source: string, target: string, files: readonly string[]): boolean {
    const there = listFiles(target);
    const read = (directory: string, file: string) => readFileSync(join(directory, file), "utf8");
    return there.join("\n") === files.join("\n") && files.every((file) => read(source, file) === read(target, file));
}

/** Relative paths of all files below a directory, sorted. */
function listFiles(directory: string, prefix = ""): string[] {
    const entries = readdirSync(join(directory, prefix), { withFileTypes: true });
    return entries
        .flatMap((entry) =>
            entry.isDirectory() ? listFiles(directory, join(prefix, entry.name)) : [join(prefix, entry.name)],
        )
        .sort();
}

/** Starts the temporary apiserver as a static pod. */
export const startTemporaryApiserver: Step = {
    name: "start-temporary-apiserver",
    run: async ({ plan, state }) => {
        if (!state.needsTemporary) {
            return "not needed";
        }
        const component = temporaryApiserver(plan);
        return startStaticPod(plan, component) ? `static pod ${component.name}` : "the static pod is already in place";
    },
};

/**
 * Starts the other temporary components as static pods.
 *
 * Only once the API serves: they would retry it at growing intervals, the scheduler every 10 s and more in the end.
 */
export const startTemporaryControllers: Step = {
    name: "start-temporary-controllers",
    run: async ({ plan, state }) => {
        if (!state.needsTemporary) {
            return "not needed";
        }
        const controllers = plan.temporary.filter((component) => component !== temporaryApiserver(plan));
        const written = controllers.filter((component) => startStaticPod(plan, component)).map(({ name }) => name);
        return written.length > 0 ? `static pods ${written.join(", ")}` : "the static pods are already in place";
    },
};

/** Stops the other temporary components. The self-hosted ones take over their leases. */
export const stopTemporaryControllers: Step = {
    name: "stop-temporary-controllers",
    run: async (run) => {
        const { plan } = run;
        const stopped: string[] = [];
        const stop = async (component: (typeof plan.temporary)[number]) => {
            if (await isRunning(plan, component)) {
                removeStaticPod(plan, component);
                await waitUntilStopped(run, component);
                stopped.push(component.name);
            }
        };
        await Promise.all(plan.temporary.filter((component) => component !== temporaryApiserver(plan)).map(stop));
        return stopped.length > 0 ? `stopped ${stopped.sort().join(", ")}` : "already stopped";
    },
};

/** Waits until the temporary apiserver serves, and the address through which everything on this machine reaches it. */
export const waitForApi: Step = {
    name: "wait-for-api",
    run: async (run) => {
        const { plan, state } = run;
        if (state.needsTemporary) {
            const { address, port, probe: path } = temporaryApiserver(plan);
            await waitFor(run, "the temporary kube-apiserver", () => probe(`https://${address}:${port}${path}`));
        }
        let version = "";
        await waitFor(run, `the API at ${plan.apiServer}`, async () => {
            try {
                version = await ask(run);
                return undefined;
            } catch (error) {
                return describePassing(error);
            }
        });
        return `${plan.apiServer} serves Kubernetes ${version}`;
    },
};

async function ask({ api }: Run): Promise<string> {
    await api.call("/readyz", { isFresh: true, timeoutMilliseconds: 2_000 });
    // /readyz needs no credentials; this shows that ours work.
    return (await api.call<Version>("/version")).gitVersion;
}
