import { setTimeout as sleep } from "node:timers/promises";
import { ETCD, type EtcdFacts, type Fact, known, unknown } from "../facts";
import { type AlarmList, etcdFacts, type MemberList, type MemberStatus, parseEtcdJson } from "./etcd-json";
import { type Ask, type EtcdPod, isLate } from "./etcdctl";
import type { MachineReport } from "./machine-report";

/** Milliseconds. The second limit is for members that were late once but are ready according to their kubelet. */
const limits = { first: 2_000, second: 3_000 };

/** Milliseconds before the same query is also sent to another member, where any member can answer. */
const standInMilliseconds = 500;

type Answer = [{ Status: MemberStatus }];

/**
 * Queries each member with etcdctl in its own container: this needs only API permissions, no etcd key leaves a controller,
 * and a dead member does not delay the others.
 */
export async function askEtcd(ask: Ask, pods: readonly [EtcdPod, ...EtcdPod[]]): Promise<EtcdFacts> {
    // As long as etcd works, a member of the majority can list all members.
    const majority = pods.slice(0, Math.floor(pods.length / 2) + 1);
    const list = async <T>(...command: string[]): Promise<T> => {
        const questions = (limit: number) => majority.map((by) => () => ask<T>({ by, limit }, ...command));
        return inTurn(questions(limits.first)).catch((error) => {
            if (!isLate(error)) {
                throw error;
            }
            return first(questions(limits.second).map((question) => question()));
        });
    };
    const [members, alarms, statuses] = await Promise.all([
        list<MemberList>("member", "list"),
        list<AlarmList>("alarm", "list"),
        askStatuses(ask, pods),
    ]);
    const answers = statuses.flatMap((each) => (each.status === "fulfilled" ? [each.value[0].Status] : []));
    const facts = etcdFacts(members, answers, alarms, (member) => {
        const failed = statuses[indexOf(member, pods)];
        return failed?.status === "rejected" ? (failed.reason as Error).message : "it has no running pod";
    });
    return withReadiness(facts, pods);
}

/** Adds the readiness reported by the members' kubelets. */
export function withReadiness(facts: EtcdFacts, pods: readonly EtcdPod[]): EtcdFacts {
    return {
        ...facts,
        members: facts.members.map((each) => ({ ...each, isReady: pods[indexOf(each.name, pods)]?.isReady })),
    };
}

function indexOf(member: string, pods: readonly EtcdPod[]): number {
    return pods.findIndex(({ name }) => name === `${ETCD}-${member}`);
}

/**
 * The status that each member reports.
 *
 * Late members are queried once more, in their own container and through one that answered: on overloaded machines,
 * the path to the member is often what is slow.
 */
function askStatuses(ask: Ask, pods: readonly EtcdPod[]): Promise<PromiseSettledResult<Answer>[]> {
    const asked = pods.map((by) => ask<Answer>({ by, limit: limits.first }, "endpoint", "status"));
    const answering = Promise.any(pods.map((pod, index) => asked[index]!.then(() => pod)));
    // If no member answers, there may be none to query through.
    answering.catch(() => {});
    const askAgain = async (of: EtcdPod, error: Error): Promise<Answer> => {
        if (!of.isReady || !isLate(error)) {
            throw error;
        }
        const again = (by: EtcdPod) => ask<Answer>({ by, of, limit: limits.second }, "endpoint", "status");
        return first([again(of), answering.then(again)]).catch(() => {
            throw new Error(`${error.message}, nor within ${limits.second / 1_000} s the second time`);
        });
    };
    return Promise.allSettled(pods.map((pod, index) => asked[index]!.catch((error) => askAgain(pod, error))));
}

/** The first good answer. Each query costs its machine a process, so the next is sent only if the previous ones are slow or fail. */
async function inTurn<T>(questions: readonly (() => Promise<T>)[]): Promise<T> {
    const asked: Promise<T>[] = [];
    for (const question of questions) {
        asked.push(question());
        const soon = sleep(standInMilliseconds, undefined, { ref: false });
        const answer = await Promise.race([first(asked).catch(() => undefined), soon]);
        if (answer !== undefined) {
            return answer;
        }
    }
    return first(asked);
}

/** The first good answer, or why there was none. */
function first<T>(asked: readonly Promise<T>[]): Promise<T> {
    return Promise.any(asked).catch((error: AggregateError) => Promise.reject(error.errors[0]));
}

/** etcd as its members report it on their machines, each for itself. */
export function etcdFromReports(reports: ReadonlyMap<string, MachineReport>): Fact<EtcdFacts> {
    const answers = [...reports.values()];
    const members = answers.map(({ etcdMembers }) => parsed<MemberList>(etcdMembers)).find((list) => list?.members);
    if (members === undefined) {
        return unknown("no member answers on its machine");
    }
    const statuses = answers.flatMap(({ etcdStatus }) => parsed<MemberStatus>(etcdStatus) ?? []);
    const alarms = answers.map(({ etcdAlarms }) => parsed<AlarmList>(etcdAlarms)).find(Boolean);
    const whyNot = (name: string) =>
        reports.has(name) ? "it does not answer on its machine" : "its machine does not answer";
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
