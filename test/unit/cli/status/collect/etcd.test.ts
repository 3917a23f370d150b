import assert from "node:assert/strict";
import { askEtcd } from "../../../../../cli/status/collect/etcd";
import type { Ask, EtcdPod, Question } from "../../../../../cli/status/collect/etcdctl";
import { NoAnswer } from "../../../../../clients/kubernetes/pod-exec";

type Pods = [EtcdPod, ...EtcdPod[]];

const pods = (...ready: boolean[]) =>
    ready.map((isReady, index) => ({ name: `etcd-c-${index}`, options: {}, isReady })) as unknown as Pods;
const late = (pod: string, limit: number) => new NoAnswer(`etcdctl in ${pod}: no answer within ${limit / 1_000} s`);
const members = { members: ["0", "1", "2"].map((ID) => ({ ID, name: `c-${ID}` })) };

/** etcdctl of a cluster. Querying `of` through `by` within a time may fail. */
function cluster(whyNot: (question: Required<Question>, command: string) => Error | undefined) {
    const asked: string[] = [];
    const ask: Ask = async <T>({ by, of = by, limit }: Question, ...words: string[]) => {
        const command = words.join(" ");
        asked.push(`${command} of ${of.name.slice(-1)} by ${by.name.slice(-1)} in ${limit}`);
        const error = whyNot({ by, of, limit }, command);
        if (error !== undefined) {
            throw error;
        }
        const status = { header: { member_id: of.name.slice(-1) }, version: "3.6.8", leader: "0" };
        return { "member list": members, "alarm list": {}, "endpoint status": [{ Status: status }] }[command] as T;
    };
    const facts = async (all: Pods) =>
        (await askEtcd(ask, all)).members.map(({ status, isReady }) => [
            "value" in status ? "answers" : status.unknown,
            isReady,
        ]);
    return { facts, asked, again: () => asked.filter((each) => each.endsWith("in 3000")) };
}

describe("querying etcd through the API", () => {
    it("ends as soon as all answer", async () => {
        const { facts, asked } = cluster(() => undefined);
        assert.deepEqual(await facts(pods(true, true, true)), Array(3).fill(["answers", true]));
        const lists = ["member list of 0 by 0 in 2000", "alarm list of 0 by 0 in 2000"];
        const statuses = ["0", "1", "2"].map((each) => `endpoint status of ${each} by ${each} in 2000`);
        assert.deepEqual(asked.toSorted(), [...lists, ...statuses].toSorted());
    });

    it("does not wait for a member if another can answer the same", async () => {
        const { facts } = cluster(({ by }, command) =>
            by.name === "etcd-c-0" && command !== "endpoint status" ? new Error("gone") : undefined,
        );
        assert.deepEqual(await facts(pods(true, true, true)), Array(3).fill(["answers", true]));
    });

    it("gives a late member more time: in its own container and through one that answered", async () => {
        for (const slowly of ["1", "0"]) {
            const { facts, again } = cluster(({ by, of, limit }, command) => {
                const isSlow = of.name === "etcd-c-1" && command === "endpoint status";
                return isSlow && (limit < 3_000 || !by.name.endsWith(slowly)) ? late(by.name, limit) : undefined;
            });
            assert.deepEqual(await facts(pods(true, true, true)), Array(3).fill(["answers", true]));
            assert.deepEqual(again(), ["endpoint status of 1 by 1 in 3000", "endpoint status of 1 by 0 in 3000"]);
        }
    });

    it("reports a member as ready even if it did not answer", async () => {
        const { facts } = cluster(({ by, of, limit }) => (of.name === "etcd-c-1" ? late(by.name, limit) : undefined));
        const slow = "etcdctl in etcd-c-1: no answer within 2 s, nor within 3 s the second time";
        assert.deepEqual((await facts(pods(true, true, true)))[1], [slow, true]);
    });

    it("gives a member that reports a timeout more time", async () => {
        const { facts } = cluster(({ limit }) => (limit < 3_000 ? new Error("context deadline exceeded") : undefined));
        assert.deepEqual(await facts(pods(true, true, true)), Array(3).fill(["answers", true]));
    });

    it("does not retry members that are not ready or refused", async () => {
        const { facts, again } = cluster(({ by: { name }, limit }) => {
            if (name === "etcd-c-0") return undefined;
            return name === "etcd-c-1" ? late(name, limit) : new Error("permission denied");
        });
        assert.deepEqual(await facts(pods(true, false, true)), [
            ["answers", true],
            ["etcdctl in etcd-c-1: no answer within 2 s", false],
            ["permission denied", true],
        ]);
        assert.deepEqual(again(), []);
    });

    it("fails if no member lists the members", async () => {
        const { facts } = cluster(({ by, limit }) => late(by.name, limit));
        await assert.rejects(facts(pods(true, true, true)), { message: "etcdctl in etcd-c-0: no answer within 3 s" });
    });
});
