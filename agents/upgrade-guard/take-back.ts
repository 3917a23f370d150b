import { isDeepStrictEqual } from "node:util";
import { type Caller, list, patch, remove } from "../../clients/kubernetes/api-client";
import { isRolledOut } from "../../clients/kubernetes/daemon-sets";
import type { DaemonSet, Pod } from "../../clients/kubernetes/objects";
import type { GuardedProgram, UpgradeRecord } from "./record";

const daemonSets = "/apis/apps/v1/namespaces/kube-system/daemonsets";
const pods = "/api/v1/namespaces/kube-system/pods";

/** Controllers may not be newer than their kube-apiserver. */
const waves: readonly (readonly GuardedProgram[])[] = [
    ["kube-scheduler", "kube-controller-manager"],
    ["kube-apiserver"],
];

/** Seconds after which kube-apiserver is taken back though the programs before it are not rolled out: it may be why. */
const waveSeconds = 15;

interface TakingBack {
    readonly record: Pick<UpgradeRecord, "before">;
    readonly fieldManager: string;
    /** Seconds since the first of these calls. */
    readonly seconds: number;
}

/**
 * Restores the earlier pod templates, as far as is possible now. To be called until it returns true: all are rolled
 * out. Any number of guards may do so at once.
 */
export async function takeBack(api: Caller, { record, fieldManager, seconds }: TakingBack): Promise<boolean> {
    for (const wave of waves) {
        const sets = await Promise.all(wave.map((name) => restore(api, name, record.before[name], fieldManager)));
        const isDone = sets.every((set) => set !== undefined && isRolledOut(set));
        const isLast = wave === waves.at(-1);
        if (!isDone && (isLast || seconds < waveSeconds)) return false;
    }
    const all = await Promise.all(waves.flat().map((name) => api.call<DaemonSet>(`${daemonSets}/${name}`)));
    return all.every(isRolledOut);
}

/** @returns undefined if it had another template */
async function restore(
    api: Caller,
    name: GuardedProgram,
    template: UpgradeRecord["before"][GuardedProgram],
    fieldManager: string,
): Promise<DaemonSet | undefined> {
    const path = `${daemonSets}/${name}`;
    const set = await api.call<DaemonSet>(path);
    if (isDeepStrictEqual(set.spec?.template, template)) return set;
    const change = [{ op: "replace", path: "/spec/template", value: template }];
    await patch(api, `${path}?fieldManager=${fieldManager}`, "json", change);
    return undefined;
}

/**
 * Removes a node's kube-apiserver of the newer version, through another one: what is connected to it, such as the
 * controller that would replace it, connects to that one.
 */
export async function removeBroken(
    api: Caller,
    node: string,
    { before }: Pick<UpgradeRecord, "before">,
): Promise<void> {
    const imageOf = (spec: Pod["spec"]) => spec.containers.find(({ name }) => name === "kube-apiserver")?.image;
    const query = new URLSearchParams({
        labelSelector: "k8s-app=kube-apiserver",
        fieldSelector: `spec.nodeName=${node}`,
    });
    const found = await list<Pod>(api, `${pods}?${query}`);
    for (const { metadata, spec } of found) {
        if (imageOf(spec) === imageOf(before["kube-apiserver"].spec) || metadata.deletionTimestamp) continue;
        await remove(api, `${pods}/${metadata.name}`, { gracePeriodSeconds: 5 });
    }
}
