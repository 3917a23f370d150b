import { isIPv4 } from "node:net";
import { isAbsolutePath, isText, isUrl, readPlanFile } from "../../harness/plan";

/** The bootstrap agent's plan for the first controller: `bootstrap.json`. It contains no secrets. */
export interface BootstrapPlan {
    readonly clusterName: string;
    /** Name of this machine's Node. */
    readonly nodeName: string;
    /** The API as this machine's own clients reach it, whichever generation serves: `https://127.0.0.1:6443`. */
    readonly apiServer: string;
    /** Field manager of the server-side apply. Pulumi adopts the objects under the same name. */
    readonly fieldManager: string;
    readonly directories: Directories;
    /** PEM files of a cluster administrator, relative to `directories.assets`. */
    readonly credentials: CredentialPaths;
    /** Exactly one of them is named `kube-apiserver`. */
    readonly temporary: readonly TemporaryComponent[];
    readonly selfHosted: readonly SelfHostedComponent[];
    /** Creating this file makes the host restart the kubelet: `/var/lib/tradewind/bootstrap/restart-kubelet`. */
    readonly kubeletRestart: string;
    /** Labels that make this Node a controller. A kubelet may not set them on itself. */
    readonly controllerLabels: Readonly<Record<string, string>>;
    /**
     * Drop-in of the kubelet's configuration with this machine's `providerID`.
     * @default - no cloud controller runs in the cluster, and Nodes have no provider ID
     */
    readonly kubeletIdentity?: string;
    readonly tokens: {
        /** Hours after which a bootstrap token Secret without `expiration` expires, counted from when it is applied. */
        readonly expiresAfterHours: number;
    };
    /** Copied into the pivot record, such as `{ kubernetes: "1.36.3" }`. */
    readonly versions: Readonly<Record<string, string>>;
    /** Timeout of each step in seconds. @default - `defaultTimeouts` */
    readonly timeouts?: Partial<Record<StepName, number>>;
    /**
     * Seconds that a resumed bootstrap gives the API to recover by itself before it restarts the temporary control
     * plane.
     * @default 5
     */
    readonly resumeGraceSeconds?: number;
    /**
     * Seconds without any answer from the API after which the temporary apiserver is started again while it is being
     * stopped.
     * @default 10
     */
    readonly longestSilenceSeconds?: number;
    /** Set if an existing cluster lost its control plane: what is missing is restored, what exists is kept. */
    readonly recovery?: Recovery;
}

export interface Recovery {
    /** ID of this recovery: `20261121T053834`. */
    readonly id: string;
    /**
     * Source of the cluster's objects: `api`, `etcd`, or a `snapshot`, after which other controllers must rejoin etcd.
     */
    readonly from: string;
    /** The temporary control plane stays until the file `released` exists in the state directory. */
    readonly isHeld: boolean;
    /** The cluster's Nodes. Others are removed unless their kubelets are alive. */
    readonly nodes: readonly string[];
    /**
     * The cluster has machines that are not named in the stack (autoscaling), so no Node is removed. @default false
     */
    readonly hasOtherNodes?: boolean;
}

/** Absolute paths, the same on the host and in the agent's container. */
interface Directories {
    /** Contains `static/`, `secrets/` and `manifests/`: `/opt/tradewind/bootstrap`. */
    readonly assets: string;
    /** Where the temporary static pods mount their secrets from: `/etc/kubernetes/bootstrap-secrets`. */
    readonly secrets: string;
    /** The kubelet's static pod directory: `/etc/kubernetes/manifests`. */
    readonly staticPods: string;
    /** Journal, stage log and stamp: `/var/lib/tradewind/bootstrap`. */
    readonly state: string;
}

interface CredentialPaths {
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
}

/** Where a single process can be probed, apart from other generations. */
export interface Process {
    readonly name: string;
    /** Loopback address that only this generation binds. */
    readonly address: string;
    readonly port: number;
    /** HTTPS path that returns 200 when the process serves: `/readyz`. */
    readonly probe: string;
}

/** A static pod that runs until its self-hosted counterpart serves. */
export interface TemporaryComponent extends Process {
    /** Static pod manifest, relative to `directories.assets`. */
    readonly manifest: string;
}

export interface SelfHostedComponent extends Process {
    readonly kind: "DaemonSet";
    readonly namespace: string;
    /**
     * Plain HTTP on the same address that returns 200 once the generation's listener on the shared port is up. Needed
     * for kube-apiserver: after a power cut the pod's Ready condition in the API is stale.
     */
    readonly listener?: { readonly port: number; readonly path: string };
}

/** In the state directory: a recovery is holding the temporary control plane. */
export const heldFile = "held";

/** In the state directory: the recovery may continue. */
export const releasedFile = "released";

/** Manifests with this number or higher are add-ons: they are applied once the control plane serves. */
export const addonsOrder = 100;

/** Seconds. The long ones include pulling images. */
export const defaultTimeouts: Record<StepName, number> = {
    "verify-assets": 30,
    "find-state": 60,
    "install-secrets": 30,
    "start-temporary-apiserver": 30,
    "wait-for-api": 600,
    "start-temporary-controllers": 30,
    "apply-manifests": 300,
    "label-node": 300,
    "remove-stale-nodes": 300,
    hold: 30 * 86_400,
    "wait-for-self-hosted": 900,
    "apply-addons": 300,
    "stop-temporary-apiserver": 180,
    "stop-temporary-controllers": 180,
    "readmit-members": 60,
    "record-pivot": 60,
    "clean-up": 60,
};

export function readPlan(path: string): BootstrapPlan {
    return readPlanFile<BootstrapPlan>(path, planProblems);
}

/** Everything wrong with a plan, each problem with its path. */
export function planProblems(value: unknown): string[] {
    const problems: string[] = [];
    const check = (isLegal: boolean, path: string, legal: string, got: unknown) => {
        if (!isLegal) {
            problems.push(`${path} must be ${legal}, got ${JSON.stringify(got)}`);
        }
    };
    const plan = record(value);
    for (const key of ["clusterName", "nodeName", "fieldManager"]) {
        check(isText(plan[key]), key, "a name", plan[key]);
    }
    check(isUrl("https", plan.apiServer), "apiServer", "an https:// URL without a path", plan.apiServer);
    for (const key of ["assets", "secrets", "staticPods", "state"]) {
        const path = record(plan.directories)[key];
        check(isAbsolutePath(path), `directories.${key}`, "an absolute path", path);
    }
    const restart = plan.kubeletRestart;
    check(isAbsolutePath(restart), "kubeletRestart", "an absolute path", restart);
    for (const key of ["ca", "cert", "key"]) {
        const path = record(plan.credentials)[key];
        check(isAssetPath(path), `credentials.${key}`, "a path below the assets", path);
    }
    for (const [index, component] of list(plan.temporary).entries()) {
        checkProcess(component, `temporary[${index}]`, check);
        check(
            isAssetPath(component.manifest),
            `temporary[${index}].manifest`,
            "a path below the assets",
            component.manifest,
        );
    }
    const apiservers = list(plan.temporary).filter(({ name }) => name === "kube-apiserver");
    check(apiservers.length === 1, "temporary", "a list with one kube-apiserver", plan.temporary);
    for (const [index, component] of list(plan.selfHosted).entries()) {
        const path = `selfHosted[${index}]`;
        checkProcess(component, path, check);
        check(component.kind === "DaemonSet", `${path}.kind`, '"DaemonSet"', component.kind);
        check(isText(component.namespace), `${path}.namespace`, "a name", component.namespace);
        const { port, path: listenerPath } = record(component.listener ?? { port: 1, path: "/" });
        check(isPort(port) && isUrlPath(listenerPath), `${path}.listener`, "a port and a path", component.listener);
    }
    check(list(plan.selfHosted).length > 0, "selfHosted", "a list of at least one component", plan.selfHosted);
    check(isTextRecord(plan.controllerLabels), "controllerLabels", "a map of labels", plan.controllerLabels);
    const identity = plan.kubeletIdentity ?? "/";
    check(isText(identity) && identity.startsWith("/"), "kubeletIdentity", "an absolute path", identity);
    const hours = record(plan.tokens).expiresAfterHours;
    check(isPositive(hours), "tokens.expiresAfterHours", "a positive number", hours);
    check(isTextRecord(plan.versions), "versions", "a map of versions", plan.versions);
    const none = { id: "none", from: "none", isHeld: false, nodes: [] };
    const { id, from, isHeld, nodes, hasOtherNodes = false } = record(plan.recovery ?? none);
    check(isText(id), "recovery.id", "a name", id);
    check(isText(from), "recovery.from", "a name", from);
    check(typeof isHeld === "boolean", "recovery.isHeld", "true or false", isHeld);
    check(Array.isArray(nodes) && nodes.every(isText), "recovery.nodes", "a list of names", nodes);
    check(typeof hasOtherNodes === "boolean", "recovery.hasOtherNodes", "true or false", hasOtherNodes);
    for (const [step, seconds] of Object.entries(record(plan.timeouts))) {
        check(step in defaultTimeouts, "timeouts", `a map of ${[...stepNames, ...recoveryStepNames].join(", ")}`, step);
        check(isPositive(seconds), `timeouts.${step}`, "a positive number of seconds", seconds);
    }
    for (const key of ["resumeGraceSeconds", "longestSilenceSeconds"]) {
        const seconds = plan[key] ?? 0;
        check(typeof seconds === "number" && seconds >= 0, key, "a number of seconds", seconds);
    }
    return problems;
}

type Check = (isLegal: boolean, path: string, legal: string, got: unknown) => void;

function checkProcess(process: Partial<Record<keyof Process, unknown>>, path: string, check: Check): void {
    const { name, address, port, probe } = process;
    check(isText(name) && /^[a-z0-9-]+$/.test(name), `${path}.name`, "a name", name);
    const isLoopback = isText(address) && isIPv4(address) && address.startsWith("127.") && address !== "127.0.0.1";
    check(isLoopback, `${path}.address`, "a loopback address other than 127.0.0.1", address);
    check(isPort(port), `${path}.port`, "a port", port);
    check(isUrlPath(probe), `${path}.probe`, "a path that begins with /", probe);
}

function record(value: unknown): Record<string, unknown> {
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): Record<string, unknown>[] {
    return Array.isArray(value) ? value.map(record) : [];
}

function isTextRecord(value: unknown): boolean {
    return (
        typeof value === "object" && value !== null && Object.values(value).every((text) => typeof text === "string")
    );
}

function isPositive(value: unknown): boolean {
    return typeof value === "number" && value > 0 && Number.isFinite(value);
}

function isPort(value: unknown): boolean {
    return Number.isInteger(value) && Number(value) > 0 && Number(value) < 65536;
}

function isUrlPath(value: unknown): boolean {
    return isText(value) && value.startsWith("/");
}

function isAssetPath(value: unknown): boolean {
    return isText(value) && !value.startsWith("/") && !value.split("/").includes("..");
}

/** The steps of the bootstrap, in order, as named in the stage log and the journal. */
export const stepNames = [
    "verify-assets",
    "find-state",
    "install-secrets",
    "start-temporary-apiserver",
    "wait-for-api",
    "start-temporary-controllers",
    "apply-manifests",
    "label-node",
    "wait-for-self-hosted",
    "apply-addons",
    "stop-temporary-apiserver",
    "stop-temporary-controllers",
    "record-pivot",
    "clean-up",
] as const;

/** Additional steps of a recovery: two after `label-node`, one before `record-pivot`. */
export const recoveryStepNames = ["remove-stale-nodes", "hold", "readmit-members"] as const;

export type StepName = (typeof stepNames)[number] | (typeof recoveryStepNames)[number];
