import assert from "node:assert/strict";
import { cleanUp } from "../../agents/clean-up/clean-up";
import type { Choice } from "../../agents/clean-up/sweep";
import { findInDigitalOcean } from "../../components/digitalocean/in-cluster";
import { freePort } from "../free-port";
import { leaveBehind, place } from "../unit/agents/clean-up/leftovers";
import { StandInDigitalOcean } from "../unit/agents/clean-up/stand-in";
import { setVariables } from "../variables";

describe("the clean-up of what a dead cluster left in a stand-in for DigitalOcean", function () {
    this.timeout(60_000);
    let cloud: StandInDigitalOcean;
    let resetVariables = () => {};

    /** As destroy runs it, with nothing listening at the API's address. */
    const destroy = async (choice?: Choice) => {
        const lines: string[] = [];
        await cleanUp({
            ...{ id: "its id", cluster: "c", ca: "", cert: "", key: "" },
            server: `https://127.0.0.1:${await freePort()}`,
            ...{ hasLoadBalancers: true, drivers: ["dobs.csi.digitalocean.com"], apiSeconds: 1 },
            findByHand: findInDigitalOcean("c", place.vpcId),
            cloud: place,
            ...(choice && { choice }),
            timeoutSeconds: 20,
            print: (line) => lines.push(line),
        });
        return lines.join("\n");
    };
    const left = () =>
        Object.fromEntries(
            ["load_balancers", "volumes"].map((kind) => [kind, cloud.lists[kind]!.map(({ id }) => id).join(" ")]),
        );
    const all = { load_balancers: "1 2 3 4 5 6", volumes: "7 8 9" };

    beforeEach(async () => {
        cloud = new StandInDigitalOcean();
        const url = await cloud.start();
        leaveBehind(cloud);
        resetVariables = setVariables({ DIGITALOCEAN_API_URL: url, DIGITALOCEAN_TOKEN: "token" });
    });
    afterEach(() => {
        cloud.stop();
        resetVariables();
    });

    it("deletes nothing before the user decides about volumes", async () => {
        await assert.rejects(destroy(), (error: Error) => {
            assert.match(error.message, /only the cluster knew .*\n +volume pvc-7 of 5 GiB\n/);
            assert.match(error.message, /TRADEWIND_LEFTOVERS=delete-volumes.*TRADEWIND_LEFTOVERS=keep-volumes/);
            return true;
        });
        assert.deepEqual(left(), all);
    });

    it("deletes load balancers and volumes, and nothing of other owners", async () => {
        const printed = await destroy("delete-volumes");
        assert.deepEqual(left(), { load_balancers: "1 4 5 6", volumes: "8 9" });
        assert.match(printed, /the API of c does not answer \(.*ECONNREFUSED/);
        for (const each of ["load balancer a0f", "load balancer named-by-its-service", "volume pvc-7"]) {
            assert.ok(printed.includes(`deleting ${each}`), printed);
        }
    });

    it("keeps volumes on request, and lists them", async () => {
        const printed = await destroy("keep-volumes");
        assert.deepEqual(left(), { load_balancers: "1 4 5 6", volumes: "7 8 9" });
        assert.match(printed, /kept: volume pvc-7 of 5 GiB/);
    });

    it("explains why it cannot search without access to the account, and does nothing else", async () => {
        process.env.DIGITALOCEAN_TOKEN = "another";
        await assert.rejects(
            destroy("delete-volumes"),
            /cannot search the cloud for what it left:\n.*401[\s\S]*doctl compute volume list/,
        );
        process.env.DIGITALOCEAN_TOKEN = "token";
        cloud.lists.vpcs = [];
        await assert.rejects(destroy("delete-volumes"), /not for the account that has the VPC vpc-1/);
        assert.deepEqual(left(), all);
    });

    it("leaves everything on request, and says how to find it", async () => {
        assert.match(await destroy("leave"), /may be left in the cloud[\s\S]*doctl compute load-balancer list/);
        assert.deepEqual(left(), all);
    });
});
