import assert from "node:assert/strict";
import { wholeSoon } from "../../../../../cli/status/collect/reach";
import { type EtcdMemberFacts, known, unknown } from "../../../../../cli/status/facts";

const answering = (name: string): EtcdMemberFacts => ({
    name,
    id: name,
    isLearner: false,
    status: known({ version: "3.6.8", leader: "c-0", dbSize: 1, dbSizeInUse: 1, errors: [] }),
});
const silent = (name: string): EtcdMemberFacts => ({ ...answering(name), status: unknown("its machine is off") });
const told = (...members: EtcdMemberFacts[]) => ({ members, alarms: [] });

describe("What machines tell of etcd", () => {
    it("is enough when it is of every member", async () => {
        const etcd = told(answering("c-0"), answering("c-1"));
        assert.equal(await wholeSoon(Promise.resolve({ etcd: known(etcd) })), etcd);
    });

    it("is not when one says nothing, or nobody does: then the API is a second way to ask", async () => {
        assert.equal(
            await wholeSoon(Promise.resolve({ etcd: known(told(answering("c-0"), silent("c-1"))) })),
            undefined,
        );
        assert.equal(await wholeSoon(Promise.resolve({ etcd: unknown("no Docker engine") })), undefined);
    });

    it("is not when one that is cut off knows no leader, or another", async () => {
        for (const leader of [undefined, "c-1"]) {
            const cutOff = {
                ...answering("c-1"),
                status: known({ version: "3.6.8", leader, dbSize: 1, dbSizeInUse: 1, errors: [] }),
            };
            assert.equal(await wholeSoon(Promise.resolve({ etcd: known(told(answering("c-0"), cutOff)) })), undefined);
        }
    });

    it("is not waited for when it takes long", async () => {
        assert.equal(await wholeSoon(new Promise(() => {}), 1), undefined);
    });
});
