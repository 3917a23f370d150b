import { type GuardReport, guardRecord, parsed, type UpgradeRecord } from "../../agents/upgrade-guard/record";
import { type Caller, patch } from "../../clients/kubernetes/api-client";
import { ApiError, ifFound } from "../../clients/kubernetes/api-error";
import type { ApiObject, ConfigMap } from "../../clients/kubernetes/objects";
import type { GuardedUpgrade } from "../../cluster/upgrades/guarded";

const { name, upgradeKey, reportKey } = guardRecord;
const namespace = "kube-system";
const path = `/api/v1/namespaces/${namespace}/configmaps/${name}`;

/** Its own, so that the guard's key survives. */
const fieldManager = "tradewind-up";

/** The last guarded upgrade; undefined if there was none, or another program has overwritten its record. */
export async function lastUpgrade(api: Caller): Promise<GuardedUpgrade | undefined> {
    return (await read(api))?.last;
}

async function read(api: Caller): Promise<{ last?: GuardedUpgrade; resourceVersion?: string } | undefined> {
    const found = await ifFound(api.call<ConfigMap & Partial<ApiObject>>(path));
    if (found === undefined) return undefined;
    const record = parsed<UpgradeRecord>(found.data?.[upgradeKey]);
    const report = parsed<GuardReport>(found.data?.[reportKey]);
    return {
        resourceVersion: found.metadata?.resourceVersion,
        ...(record && { last: { record, ...(report?.id === record.id && { report }) } }),
    };
}

/** Begins an upgrade. What the guard reported about an earlier one no longer counts. */
export async function writeRecord(api: Caller, record: UpgradeRecord, resourceVersion?: string): Promise<void> {
    await patch(api, `${path}?fieldManager=${fieldManager}&force=true`, "apply", {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name, namespace, ...(resourceVersion && { resourceVersion }) },
        data: { [upgradeKey]: JSON.stringify(record) },
    });
}

const tries = 10;

/** Changes the record, while others may change it, too. @returns the new one; undefined if there is none */
export async function changeRecord(
    api: Caller,
    change: (record: UpgradeRecord) => Partial<UpgradeRecord>,
): Promise<UpgradeRecord | undefined> {
    for (let count = 1; ; count++) {
        const { last, resourceVersion } = (await read(api)) ?? {};
        if (last === undefined) return undefined;
        const record = { ...last.record, ...change(last.record) };
        try {
            await writeRecord(api, record, resourceVersion);
            return record;
        } catch (error) {
            if (!(error instanceof ApiError && error.status === 409) || count === tries) throw error;
        }
    }
}
