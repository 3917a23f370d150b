import { type Caller, patch } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import type { ConfigMap } from "../../clients/kubernetes/objects";
import { describeBreach, type GuardReport, guardedPrograms, guardRecord, parsed, type UpgradeRecord } from "./record";

const { name, upgradeKey, reportKey } = guardRecord;
const configMaps = "/api/v1/namespaces/kube-system/configmaps";
const path = `${configMaps}/${name}`;

/** The same as a list, which can be watched. With this selector, a permission on the name suffices. */
export const guardedList = `${configMaps}?fieldSelector=metadata.name%3D${name}`;

/** The last upgrade, and what guards have reported about it. */
export interface Guarded {
    readonly record?: UpgradeRecord;
    readonly report?: GuardReport;
}

export async function readGuarded(api: Caller): Promise<Guarded> {
    return guardedIn(await ifFound(api.call<ConfigMap>(path, { timeoutMilliseconds: 4_000 })));
}

/** What the ConfigMap contains. Something else than a record counts as none. */
export function guardedIn({ data = {} }: Pick<ConfigMap, "data"> = {}): Guarded {
    const record = parsed<UpgradeRecord>(data[upgradeKey]);
    const report = parsed<GuardReport>(data[reportKey]);
    const isWhole = guardedPrograms.every((each) => record?.before?.[each]?.spec?.containers);
    if (record === undefined || !isWhole || !Array.isArray(record.way ?? [])) return {};
    return { record, ...(report?.id === record.id && { report }) };
}

export async function writeReport(api: Caller, report: GuardReport): Promise<void> {
    const body = { data: { [reportKey]: JSON.stringify(report) } };
    await patch(api, `${path}?fieldManager=tradewind-upgrade-guard`, "merge", body);
}

const ranks: Readonly<Record<GuardReport["state"], number>> = {
    guarding: 0,
    passed: 1,
    undecided: 1,
    "rolling-back": 2,
    "rolled-back": 3,
};

/** What counts of two reports about the same upgrade: guards of several nodes write to one place. */
export function laterOf(own: GuardReport, other: GuardReport | undefined): GuardReport {
    return other && other.id === own.id && ranks[other.state] >= ranks[own.state] ? other : own;
}

/** The event about a taken back upgrade. */
export async function tell(api: Caller, { record, report }: Guarded, node: string): Promise<void> {
    const { breach } = report ?? {};
    if (record === undefined || breach === undefined) return;
    const now = new Date().toISOString().replace(/\.\d+/, "");
    const verb = report?.state === "rolled-back" ? "took" : "is taking";
    await api.call("/api/v1/namespaces/kube-system/events", {
        method: "POST",
        body: {
            apiVersion: "v1",
            kind: "Event",
            metadata: { generateName: "kube-apiserver.", namespace: "kube-system" },
            involvedObject: {
                apiVersion: "apps/v1",
                kind: "DaemonSet",
                namespace: "kube-system",
                name: "kube-apiserver",
            },
            type: "Warning",
            reason: "UpgradeTakenBack",
            message: `the upgrade guard of ${node} ${verb} Kubernetes ${record.to} back to ${record.from}: ${describeBreach(breach)}`,
            source: { component: "upgrade-guard", host: node },
            firstTimestamp: now,
            lastTimestamp: now,
            count: 1,
        },
    });
}
