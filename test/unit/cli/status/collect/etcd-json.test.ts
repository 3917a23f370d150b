import assert from "node:assert/strict";
import { etcdFromReports } from "../../../../../cli/status/collect/etcd";
import { etcdFacts, parseEtcdJson } from "../../../../../cli/status/collect/etcd-json";
import { parseReport } from "../../../../../cli/status/collect/machine-report";

describe("etcd's JSON", () => {
    it("keeps numbers that JavaScript would round", () => {
        const text =
            '{"header":{"member_id":9990735605246064717,"raft_term":2},"dbSize":17,"list":[{"ID":9990735605246064716}]}';
        assert.deepEqual(parseEtcdJson(text), {
            header: { member_id: "9990735605246064717", raft_term: "2" },
            dbSize: "17",
            list: [{ ID: "9990735605246064716" }],
        });
    });

    it("becomes facts of each member, in order, including unknown ones", () => {
        const members = [
            { ID: "18", name: "c-10", peerURLs: ["https://10.0.0.11:2380"] },
            { ID: "17", name: "c-2", isLearner: true, peerURLs: ["https://[2001:db8::1]:2380"] },
            { ID: "19", name: "" },
        ];
        const statuses = [
            {
                header: { member_id: "18" },
                version: "3.6.8",
                dbSize: "100",
                dbSizeInUse: "50",
                dbSizeQuota: "200",
                leader: "18",
                errors: ["memberID:18 alarm:NOSPACE ", "etcdserver: no leader"],
            },
        ];
        const facts = etcdFacts({ members }, statuses, { alarms: [{ memberID: "18", alarm: "1" }] }, () => "gone");
        assert.deepEqual(
            facts.members.map(({ name, id, isLearner, address }) => [name, id, isLearner, address]),
            [
                ["c-2", "11", true, "2001:db8::1"],
                ["c-10", "12", false, "10.0.0.11"],
                ["not started yet (13)", "13", false, undefined],
            ],
        );
        assert.deepEqual(facts.members[1]!.status, {
            value: {
                version: "3.6.8",
                leader: "12",
                dbSize: 100,
                dbSizeInUse: 50,
                dbQuota: 200,
                errors: ["etcdserver: no leader"],
            },
        });
        assert.deepEqual(facts.members[0]!.status, { unknown: "gone" });
        assert.deepEqual(facts.alarms, [{ member: "12", type: "NOSPACE" }]);
    });
});

describe("etcd according to the machines", () => {
    const members = '{"members":[{"ID":"10","name":"c-0"},{"ID":"11","name":"c-1"},{"ID":"12","name":"c-2"}]}';
    const status = '{"header":{"member_id":"10"},"version":"3.6.8","leader":"10"}';
    const answering = parseReport(`--- etcd-members\n${members}\n--- etcd-status\n${status}\n--- etcd-alarms\n{}\n`);

    it("contains what each member reports about itself", () => {
        const facts = etcdFromReports(
            new Map([
                ["c-0", answering],
                ["c-1", parseReport("")],
            ]),
        );
        assert("value" in facts);
        const [one, two, three] = facts.value.members;
        assert(one && "value" in one.status && one.status.value.leader === one.id);
        assert.deepEqual(two!.status, { unknown: "it does not answer on its machine" });
        assert.deepEqual(three!.status, { unknown: "its machine does not answer" });
    });

    it("is unknown if none answers, or not in JSON", () => {
        for (const text of ["", "--- etcd-members\ncurl: (28) timeout\n"]) {
            assert("unknown" in etcdFromReports(new Map([["c-0", parseReport(text)]])));
        }
    });
});
