import assert from "node:assert/strict";
import { agreedReports } from "../../../../../cli/status/collect/reach";
import { type EtcdMemberFacts, known, unknown } from "../../../../../cli/status/facts";

const answering = (name: string): EtcdMemberFacts => ({
    name,
    id: name,
    isLearner: false,
    status: known({ version: "3.6.8", leader: "c-0", dbSize: 1, dbSizeInUse: 1, errors: [] }),
});
const silent = (name: string): EtcdMemberFacts => ({ ...answering(name), status: unknown("its machine is off") });
const told = (...members: EtcdMemberFacts[]) => ({ members, alarms: [] });

describe("etcd reports of the machines", () => {
    it("are sufficient if they cover every member", async () => {
        const etcd = told(answering("c-0"), answering("c-1"));
        assert.equal(await agreedReports(Promise.resolve({ etcd: known(etcd) })), etcd);
    });

    it("are not sufficient if one or all are missing: then the API is used", async () => {
        assert.equal(
            await agreedReports(Promise.resolve({ etcd: known(told(answering("c-0"), silent("c-1"))) })),
            undefined,
        );
        assert.equal(await agreedReports(Promise.resolve({ etcd: unknown("no Docker engine") })), undefined);
    });

    it("are not sufficient if an isolated member knows no leader, or another one", async () => {
        for (const leader of [undefined, "c-1"]) {
            const cutOff = {
                ...answering("c-1"),
                status: known({ version: "3.6.8", leader, dbSize: 1, dbSizeInUse: 1, errors: [] }),
            };
            assert.equal(
                await agreedReports(Promise.resolve({ etcd: known(told(answering("c-0"), cutOff)) })),
                undefined,
            );
        }
    });

    it("are not waited for if they take long", async () => {
        assert.equal(await agreedReports(new Promise(() => {}), 1), undefined);
    });
});
