import assert from "node:assert/strict";
import type { ApiClient } from "../../../../clients/kubernetes/api-client";
import { ApiError } from "../../../../clients/kubernetes/api-error";
import { firstStart } from "../../../../cluster/machines/bootstrap/assets";
import { etcdStaticPod } from "../../../../cluster/manifests/etcd/member";
import { shownMembers, waitUntilShown } from "../../../../components/upgrade/reported-members";
import { firstController, fixedCluster } from "../in-cluster/fixture";

const now = fixedCluster({ controllers: { count: 3 } });
const desired = fixedCluster({ controllers: { count: 3 }, components: { etcd: { "log-level": "debug" } } });
const [first, second, third] = now.controllers.names as [string, string, string];
const start = firstStart(firstController(now));

const podOf = (cluster: typeof now) => (nodeName: string) => {
    const { spec } = etcdStaticPod(cluster, start);
    return { spec: { ...(spec as object), nodeName } };
};

/** An API that shows these pods, request by request, with these members in the keeper's report. */
function apiOf(
    looks: readonly (readonly object[])[],
    members: readonly object[] = [],
    deleted: readonly string[] = [],
): { api: ApiClient; count: () => number } {
    let count = 0;
    const call = async (path: string) => {
        if (path.includes("etcd-status")) return { data: { members: JSON.stringify({ members }) } };
        if (deleted.some((name) => path === `/api/v1/nodes/${name}`)) throw new ApiError(404, "not found");
        return { items: looks[Math.min(count++, looks.length - 1)] };
    };
    return { api: { call } as unknown as ApiClient, count: () => count };
}

const well = [{ name: first }, { name: second }, { name: third, problem: "it does not answer" }];

describe("the members that the API shows", () => {
    it("are awaited if etcd's keeper reports more healthy ones", async () => {
        const { api, count } = apiOf([[], [first].map(podOf(now)), [first, second].map(podOf(now))], well);
        const { members, missing } = await shownMembers(api, now.controllers.names, 30);
        assert.deepEqual([members.map(({ node }) => node), missing, count()], [[first, second], [], 3]);
    });

    it("are reported missing if they do not appear, except for those that are down", async () => {
        const { api } = apiOf([[first].map(podOf(now))], well);
        const { missing, unregistered } = await shownMembers(api, now.controllers.names, 0);
        assert.deepEqual([missing, unregistered], [[second], []]);
    });

    it("are reported without a Node if it was deleted", async () => {
        const { api } = apiOf([[first].map(podOf(now))], well, [second]);
        const { missing, unregistered } = await shownMembers(api, now.controllers.names, 0);
        assert.deepEqual([missing, unregistered], [[second], [second]]);
    });

    it("are none in a cluster that the keeper has not reported on yet", async () => {
        const { api } = apiOf([[]]);
        const shown = await shownMembers(api, now.controllers.names, 30);
        assert.deepEqual(shown, { members: [], missing: [], unregistered: [] });
    });

    const changes = [{ node: first, start, text: "" }];

    it("are awaited until they are shown as they run", async () => {
        const { api, count } = apiOf([[], [first].map(podOf(now)), [first].map(podOf(desired))]);
        await waitUntilShown(api, desired, changes, 30);
        assert.equal(count(), 3);
    });

    it("are said to be shown late", async () => {
        const { api } = apiOf([[first].map(podOf(now))]);
        await assert.rejects(waitUntilShown(api, desired, changes, 0), {
            message: `the etcd of ${first} has been updated, but the API does not show it after 0 s`,
        });
    });
}).timeout(30_000);
