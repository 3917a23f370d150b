import { type Fact, known, unknown } from "../fact";
import type { EtcdFacts } from "../facts";
import { type AlarmList, etcdFacts, type MemberList, type MemberStatus, parseEtcdJson } from "./etcd-json";
import type { MachineReport } from "./machine-report";

/** etcd as its members on the machines tell it, each of itself. */
export function etcdFromReports(reports: ReadonlyMap<string, MachineReport>): Fact<EtcdFacts> {
    const answers = [...reports.values()];
    const members = answers.map(({ etcdMembers }) => parsed<MemberList>(etcdMembers)).find((list) => list?.members);
    if (members === undefined) {
        return unknown("no member answers on its machine");
    }
    const statuses = answers.flatMap(({ etcdStatus }) => parsed<MemberStatus>(etcdStatus) ?? []);
    const alarms = answers.map(({ etcdAlarms }) => parsed<AlarmList>(etcdAlarms)).find(Boolean);
    const whyNot = (name: string) =>
        reports.has(name) ? "nothing from it on its machine" : "its machine does not answer";
    return known(
        etcdFacts(
            members,
            statuses.filter(({ header }) => header),
            alarms ?? {},
            whyNot,
        ),
    );
}

function parsed<T>(text: string | undefined): T | undefined {
    try {
        return text === undefined ? undefined : parseEtcdJson<T>(text);
    } catch {
        return undefined;
    }
}
