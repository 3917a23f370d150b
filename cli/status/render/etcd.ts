import type { ClusterFacts, EtcdFacts, EtcdMemberFacts, SnapshotFacts } from "../facts";
import { shortTime } from "./short-time";
import type { Paint } from "./style";
import { cell, type Row, table } from "./table";

export function etcdTable({ etcd, snapshot }: ClusterFacts, paint: Paint): string[] {
    const heading = ["ETCD", "ROLE", "STATE", "VERSION", "DATABASE", "ALARMS"];
    const rows =
        "unknown" in etcd
            ? [[cell("unknown", "faint"), "", cell(etcd.unknown, "faint"), "", "", ""]]
            : etcd.value.members.map((member) => memberRow(member, etcd.value));
    const last = "unknown" in snapshot ? "unknown" : snapshotText(snapshot.value?.last, snapshot.value?.copy);
    return [...table(heading, rows, paint), `${paint("last snapshot:", "faint")} ${last}`];
}

function memberRow({ name, id, isLearner, status, isReady }: EtcdMemberFacts, { alarms }: EtcdFacts): Row {
    const raised = alarms.filter(({ member }) => member === id).map(({ type }) => type);
    const alarm = raised.length > 0 ? cell(raised.join(", "), "bad") : "none";
    if ("unknown" in status) {
        const state = isReady
            ? cell(`slow: ${status.unknown}`, "warning")
            : cell(`no answer: ${status.unknown}`, "bad");
        return [name, isLearner ? "learner" : "voter", state, "", "", alarm];
    }
    const { version, leader, dbSize, dbQuota, errors } = status.value;
    const role = isLearner ? cell("learner", "warning") : leader === id ? "voter, leader" : "voter";
    const isWell = errors.length === 0 && leader !== undefined;
    const state = isWell ? cell("healthy", "good") : cell(errors[0] ?? "knows no leader", "bad");
    return [name, role, state, version, `${mebibytes(dbSize)}${dbQuota ? ` of ${mebibytes(dbQuota)}` : ""} MiB`, alarm];
}

function snapshotText(last: SnapshotFacts["last"], copy: string | undefined): string {
    if (last === undefined) {
        return "none";
    }
    const where = copy ?? (last.node && `on ${last.node}`);
    return `${shortTime(last.at)}, ${last.name}${where ? `, ${where}` : ""}`;
}

function mebibytes(bytes: number): string {
    return (bytes / 2 ** 20).toFixed(bytes < 100 * 2 ** 20 ? 1 : 0);
}
