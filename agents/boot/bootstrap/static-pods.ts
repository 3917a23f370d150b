import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRefused } from "../../../clients/probe";
import { removeDurably, writeDurably, writeIfOther } from "../../harness/durable";
import { waitFor } from "../../harness/wait";
import type { BootstrapPlan, TemporaryComponent } from "./plan";
import type { Run } from "./run";

/** The component that all others depend on. */
export function temporaryApiserver({ temporary }: BootstrapPlan): TemporaryComponent {
    const apiserver = temporary.find(({ name }) => name === "kube-apiserver");
    if (apiserver === undefined) {
        throw new Error("temporary must be a list with one kube-apiserver");
    }
    return apiserver;
}

/** Whether a temporary component should run, or still does. */
export async function isRunning(plan: BootstrapPlan, component: TemporaryComponent): Promise<boolean> {
    return existsSync(staticPodPath(plan, component)) || !(await isRefused(component.address, component.port));
}

/** Path of a temporary component's static pod for the kubelet. */
function staticPodPath({ directories }: BootstrapPlan, { name }: TemporaryComponent): string {
    return join(directories.staticPods, `bootstrap-${name}.json`);
}

/** Installs a temporary component's static pod. Returns whether anything changed. */
export function startStaticPod(plan: BootstrapPlan, component: TemporaryComponent): boolean {
    const path = staticPodPath(plan, component);
    const text = readFileSync(join(plan.directories.assets, component.manifest), "utf8");
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const isOther = existsSync(path);
    // Written elsewhere first, since the kubelet would read a partial file in its own directory.
    const isWritten = writeIfOther(path, text, { scratch: dirname(plan.directories.staticPods) });
    // A kubelet that has not reached the API since its start replaces no static pod.
    if (isWritten && isOther) restartKubelet(plan);
    return isWritten;
}

/** Asks the host to restart the kubelet, which leaves its containers alone. */
export function restartKubelet({ kubeletRestart }: Pick<BootstrapPlan, "kubeletRestart">): void {
    writeDurably(kubeletRestart, "");
}

/** Removes a temporary component's static pod, so that the kubelet stops it. */
export function removeStaticPod(plan: BootstrapPlan, component: TemporaryComponent): boolean {
    return removeDurably(staticPodPath(plan, component));
}

/** Waits until nothing listens on a temporary component's address. `watch` may throw to end the wait. */
export async function waitUntilStopped(run: Run, component: TemporaryComponent, watch = () => {}): Promise<void> {
    const { name, address, port } = component;
    await waitFor(run, `the temporary ${name} to stop`, async () => {
        watch();
        return (await isRefused(address, port)) ? undefined : `${address}:${port} still accepts connections`;
    });
}
