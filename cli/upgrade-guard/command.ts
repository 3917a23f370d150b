import { isOver } from "../../agents/upgrade-guard/record";
import type { Caller } from "../../clients/kubernetes/api-client";
import { clientOf } from "../../clients/kubernetes/kubeconfig";
import { describeTakenBack, type GuardedUpgrade, isTakenBack } from "../../cluster/upgrades/guarded";
import { command } from "../../command-line/command";
import { flag, type Values, value } from "../../command-line/parse";
import { changeRecord, lastUpgrade } from "../../components/upgrade/guard-record";
import { apiOptions, reachCluster } from "../reach/cluster";
import { duration } from "../reach/duration";

const options = {
    accept: flag("end the soak now: the upgrade goes on, and is not taken back any more", { excludes: ["extend"] }),
    extend: value("DURATION", "make the soak so much longer: from 1s to 1d, such as 10m", duration("1s", "1d")),
    ...apiOptions,
};

export const program = command(
    {
        name: "tradewind upgrade-guard",
        about: "Shows what the upgrade guard did about the last upgrade, and ends or extends its soak.",
        options,
        notes: `Examples:
  tradewind upgrade-guard --stack prod --extend 10m   while pulumi up waits, in another terminal
  tradewind upgrade-guard --stack prod --accept       goes on at once; after a rollback, allows the version again

See docs/upgrades.md#the-upgrade-guard.`,
    },
    upgradeGuard,
);

/** `tradewind upgrade-guard`: 0 if it was shown or changed. */
async function upgradeGuard({ accept, extend, ...choice }: Values<typeof options>): Promise<number> {
    const { connection, name } = (await reachCluster(choice)).access;
    if (connection === undefined) throw new Error(`${name} has no kubeconfig yet`);
    console.log(await clientOf(connection, "tradewind-upgrade-guard").closeAfter((api) => run(api, accept, extend)));
    return 0;
}

/** @returns what there is to say. @throws if the soak cannot be changed */
export async function run(api: Caller, isAccepted: boolean, moreSeconds?: number): Promise<string> {
    const last = await lastUpgrade(api);
    const isChange = isAccepted || moreSeconds !== undefined;
    if (last === undefined) {
        if (isChange) throw new Error("no upgrade was guarded yet");
        return "no upgrade was guarded yet";
    }
    if (!isChange) return describe(last);
    const cannot = moreSeconds === undefined ? isOver(last) && !isTakenBack(last) : isOver(last) || isTakenBack(last);
    if (cannot) throw new Error(`the soak cannot be changed any more: ${describe(last)}`);
    const record = await changeRecord(api, ({ soakSeconds }) =>
        moreSeconds === undefined ? { isAccepted } : { soakSeconds: soakSeconds + moreSeconds },
    );
    return describe({ ...last, ...(record && { record }) });
}

function describe(last: GuardedUpgrade): string {
    const { record, report } = last;
    const what = `Kubernetes ${record.from} to ${record.to}`;
    if (isTakenBack(last)) return `${describeTakenBack(last)}${record.isAccepted ? " (accepted)" : ""}`;
    if (record.isAccepted) return `${what}: the soak was ended early`;
    if (report?.state === "passed") return `${what}: nothing got worse`;
    if (report?.state === "undecided") return `${what}: could not be judged: ${report.undecided ?? "no reason given"}`;
    if (record.rolledOut === undefined) {
        return `${what}: guarded since ${record.began}; a soak of ${record.soakSeconds} s follows the rollout`;
    }
    const end = new Date(Date.parse(record.rolledOut) + record.soakSeconds * 1000).toISOString();
    const why = report?.undecided === undefined ? "" : `; it cannot decide at the moment: ${report.undecided}`;
    return `${what}: soaks until ${end}${why}`;
}
