import assert from "node:assert/strict";
import { digitalOceanAccess } from "../../../../agents/clean-up/digitalocean";
import { sweep } from "../../../../agents/clean-up/sweep";
import { leaveBehind, place } from "./leftovers";
import { StandInDigitalOcean } from "./stand-in";

describe("a dead cluster's leftovers in DigitalOcean", () => {
    let cloud: StandInDigitalOcean;
    let env: NodeJS.ProcessEnv;

    beforeEach(async () => {
        cloud = new StandInDigitalOcean();
        env = { DIGITALOCEAN_API_URL: await cloud.start(), DIGITALOCEAN_TOKEN: "token" };
        leaveBehind(cloud);
    });
    afterEach(() => cloud.stop());

    const left = (kind: string) => cloud.lists[kind]!.map(({ id }) => id);
    const access = () => digitalOceanAccess(place, env);
    const common = { access, print: () => {}, timeoutSeconds: 10, findByHand: [] };

    it("are deleted: load balancers in its VPC from its Services, and volumes of its claims", async () => {
        await sweep({ ...common, choice: "delete-volumes" });
        assert.deepEqual(left("load_balancers"), ["1", "4", "5", "6"]);
        assert.deepEqual(left("volumes"), ["8", "9"]);
        const ofVolumes = cloud.asked.filter((each) => each.includes("volumes"));
        assert.deepEqual(ofVolumes, ["POST volumes/7/actions", "DELETE volumes/7"]);
    });

    it("are found and deleted although requests are throttled, and volumes are detached late", async () => {
        cloud.throttled = 3;
        cloud.lateDetachments = 2;
        await sweep({ ...common, choice: "delete-volumes" });
        assert.deepEqual(
            [left("load_balancers"), left("volumes")],
            [
                ["1", "4", "5", "6"],
                ["8", "9"],
            ],
        );
        cloud.throttled = 9;
        await assert.rejects(sweep({ ...common, choice: "delete-volumes" }), /429 \{"id":"too_many_requests"\}/);
    });

    it("keep their volumes on request, which are listed", async () => {
        const lines: string[] = [];
        await sweep({ ...common, choice: "keep-volumes", print: (line) => lines.push(line) });
        assert.deepEqual(left("load_balancers"), ["1", "4", "5", "6"]);
        assert.deepEqual(left("volumes"), ["7", "8", "9"]);
        assert.match(lines.join("\n"), /kept: volume pvc-7 of 5 GiB/);
    });

    it("are not deleted without a decision about volumes", async () => {
        await assert.rejects(sweep(common), /volume pvc-7 of 5 GiB/);
        assert.equal(left("load_balancers").length, 6);
    });

    it("are not searched without a token, or with another account's", async () => {
        await assert.rejects(digitalOceanAccess(place, {}), /no DigitalOcean token was found: set DIGITALOCEAN_TOKEN/);
        await assert.rejects(digitalOceanAccess(place, { ...env, DIGITALOCEAN_TOKEN: "another" }), /401/);
        cloud.lists.vpcs = [];
        await assert.rejects(access(), /not for the account that has the VPC vpc-1/);
    });
});
