import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { gt } from "semver";
import { isOver, type Templates, type UpgradeRecord } from "../../agents/upgrade-guard/record";
import type { Caller } from "../../clients/kubernetes/api-client";
import { describePassing } from "../../clients/kubernetes/api-error";
import type { Cluster } from "../../cluster/model";
import { describeTakenBack, type GuardedUpgrade, isTakenBack } from "../../cluster/upgrades/guarded";
import { changeRecord, lastUpgrade, writeRecord } from "./guard-record";

type Guarded = Pick<Cluster, "versions" | "upgradeGuard">;
type Report = (message: string) => Promise<unknown>;

/**
 * Lets the guard know of an upgrade before any program changes; and if this is none, that it must not take back the last
 * one any more.
 *
 * @param from - version of the running kube-apiserver
 * @param isOnTheWay - whether programs emulate another version, because an `up` was interrupted
 * @returns whether it may take back what is rolled out from now on
 */
export async function beginGuarded(
    api: Caller,
    { versions, upgradeGuard }: Guarded,
    { from, before, isOnTheWay }: Pick<UpgradeRecord, "from" | "before"> & { readonly isOnTheWay: boolean },
): Promise<boolean> {
    const to = versions.kubernetes;
    const last = await lastUpgrade(api);
    const isOpen = last !== undefined && !isOver(last);
    const isSame = isOpen && last.record.to === to;
    // Its templates are those of before the upgrade: an interrupted `up` goes on with them.
    if (isSame && upgradeGuard && (from === to || isOnTheWay)) return true;
    if (upgradeGuard && gt(to, from) && !isOnTheWay) {
        const id = `${to}-${Date.now().toString(36)}`;
        const began = new Date().toISOString();
        await writeRecord(api, { id, from, to, began, before, soakSeconds: upgradeGuard.soakSeconds });
        return true;
    }
    if (isOpen && !isTakenBack(last)) await changeRecord(api, () => ({ isAccepted: true }));
    return false;
}

/** Lets the guard know of a rollout on the way before it begins, so that it can be undone after those that follow. */
export async function passGuarded(api: Caller, { versions }: Guarded, templates: Templates): Promise<void> {
    const last = await lastUpgrade(api);
    if (last === undefined || last.record.to !== versions.kubernetes || isOver(last)) return;
    // An interrupted `up` may have written it already.
    const isKnown = isDeepStrictEqual(last.record.way?.at(-1), templates);
    if (!isKnown) await changeRecord(api, ({ way = [] }) => ({ way: [...way, templates] }));
}

/** @throws if the guard has taken back the upgrade: later steps must not begin */
export async function requireKept(api: Caller, { versions, upgradeGuard }: Guarded): Promise<void> {
    // Without the API, the next change fails.
    const last = upgradeGuard && (await lastUpgrade(api).catch(() => undefined));
    if (last?.record.to === versions.kubernetes) refuseTakenBack(last);
}

function refuseTakenBack(last: GuardedUpgrade): void {
    if (!isTakenBack(last)) return;
    const next = `set kubernetesVersion to ${last.record.from}, or run \`pulumi up\` with upgradeOverrides: [guard] to try again`;
    throw new Error(`${describeTakenBack(last)}; later steps were not started; ${next}`);
}

/** Seconds for which the guard may be late with its report. */
const graceSeconds = 30;

/** Seconds after which a guard that has not reported at all is not expected to. */
const silenceSeconds = 15;

/** How often the remaining time is shown. */
const shownSeconds = 30;

interface Soak {
    readonly api: Caller;
    readonly cluster: Guarded & Pick<Cluster, "rolloutSeconds">;
    readonly say: Report;
    readonly warn: Report;
}

/**
 * Waits until the guard has watched the new control plane for long enough. An interrupted `up` waits for the remaining
 * time.
 *
 * @throws if the guard takes the upgrade back
 */
export async function soak({ api, cluster, say, warn }: Soak): Promise<void> {
    const { versions, upgradeGuard, rolloutSeconds } = cluster;
    const to = versions.kubernetes;
    if (upgradeGuard === undefined) return;
    let first: string | undefined;
    let answered = performance.now();
    let shown = Number.POSITIVE_INFINITY;
    for (; ; await sleep(500)) {
        const last = await soaking(api, to).catch((error) => describePassing(error));
        if (typeof last === "string") {
            // It may be what the guard is about to repair.
            if (performance.now() - answered < rolloutSeconds * 1000) continue;
            throw new Error(`whether Kubernetes ${to} is well could not be read: ${last}`);
        }
        answered = performance.now();
        if (last === undefined || last.record.id !== (first ?? last.record.id)) return;
        refuseTakenBack(last);
        if (isOver(last)) return void (first && (await end(last, { say, warn })));
        first = last.record.id;
        const { record, report } = last;
        const passed = (Date.now() - Date.parse(record.rolledOut!)) / 1000;
        const left = Math.ceil(record.soakSeconds - passed);
        if (left < -graceSeconds || (report === undefined && passed > silenceSeconds)) {
            return void (await warn(`no upgrade guard watches Kubernetes ${to}, so the upgrade goes on: ${advice}`));
        }
        if (left > 0 && left <= shown - shownSeconds) {
            shown = left;
            const why = report?.undecided === undefined ? "" : ` (it cannot decide at the moment: ${report.undecided})`;
            await say(`the upgrade guard watches Kubernetes ${to} for ${left} s more, before kubelets change${why}`);
        }
    }
}

/** The upgrade to a version; its soak begins now unless it has, or the guard has ended it. */
async function soaking(api: Caller, to: string): Promise<GuardedUpgrade | undefined> {
    const last = await lastUpgrade(api);
    if (last?.record.to !== to) return undefined;
    if (last.record.rolledOut !== undefined || isOver(last) || isTakenBack(last)) return last;
    const record = await changeRecord(api, ({ rolledOut = new Date().toISOString() }) => ({ rolledOut }));
    return record && { ...last, record };
}

const advice = "see `kubectl -n kube-system get pods -l k8s-app=upgrade-guard`";

async function end({ record, report }: GuardedUpgrade, { say, warn }: Pick<Soak, "say" | "warn">): Promise<void> {
    const what = `Kubernetes ${record.to}`;
    if (record.isAccepted) return void (await say(`${what}: the soak was ended early`));
    if (report?.state === "undecided") {
        const why = report.undecided ?? "it could not measure for most of the soak";
        return void (await warn(`the upgrade guard could not judge ${what}: ${why}`));
    }
    await say(`${what}: the soak of ${record.soakSeconds} s ended, and nothing got worse`);
}
