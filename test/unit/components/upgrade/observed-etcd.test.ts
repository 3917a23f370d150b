import assert from "node:assert/strict";
import type { ApiClient } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import { readEtcdReport, waitUntilWell } from "../../../../components/upgrade/etcd-changes";

/** An API with the report of etcd's keeper, if any, and the number of its pods; none if omitted. */
const apiOf = (told?: object, readyReplicas?: number) => {
    const status = told && { data: { members: JSON.stringify(told) } };
    const metadata = { name: "etcd-keeper" };
    const deployment =
        readyReplicas === undefined ? undefined : { metadata, spec: { replicas: 1 }, status: { readyReplicas } };
    const call = async (path: string) => {
        const found = path.endsWith("/etcd-status") ? status : deployment;
        if (found === undefined) throw new ApiError(404, "not found");
        return found;
    };
    return { call } as unknown as ApiClient;
};
const members = [
    { name: "a", version: "3.6.8", dbSize: 1 },
    { name: "b", problem: "it does not answer" },
];
const seen = [
    { name: "a", version: "3.6.8" },
    { name: "b", problem: "it does not answer" },
];

describe("etcd as its keeper saw it", () => {
    it("is its members, without troubles where there are none", async () => {
        assert.deepEqual(await readEtcdReport(apiOf({ members, alarms: [] }, 1)), { members: seen, troubles: [] });
    });

    it("has the troubles of all of it: alarms, and what the keeper could not do or see", async () => {
        const alarms = [{ member: "a", memberId: "1", alarm: "NOSPACE" }];
        const problem = "no leader answers";
        assert.deepEqual((await readEtcdReport(apiOf({ members, alarms, problem }, 1))).troubles, [
            "the alarm NOSPACE of a",
            problem,
        ]);
    });

    it("is unknown if the keeper has never reported, or no longer runs", async () => {
        const silent = "no report from etcd-keeper (ConfigMap etcd-status in kube-system)";
        assert.deepEqual(await readEtcdReport(apiOf(undefined, 1)), { members: [], troubles: [silent] });
        assert.deepEqual((await readEtcdReport(apiOf({ members, alarms: [] }, 0))).troubles, [
            "etcd-keeper has 0 of 1 pods Ready",
        ]);
        assert.deepEqual((await readEtcdReport(apiOf())).troubles, [silent]);
    });

    it("is awaited while the keeper's report may be outdated, but not forever", async () => {
        const looks = [apiOf(), apiOf({ members, alarms: [] }, 1), apiOf({ members: members.slice(0, 1) }, 1)];
        const asked: string[] = [];
        // Each check makes two requests.
        const call = (path: string) => looks[Math.min(2, (asked.push(path) - 1) >> 1)]!.call(path);
        await waitUntilWell({ call } as ApiClient, 30);
        assert.equal(asked.length, 6);
        await waitUntilWell(apiOf(), 0);
    });
});
