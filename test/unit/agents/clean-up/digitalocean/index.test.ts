import assert from "node:assert/strict";
import { digitalOceanAccess } from "../../../../../agents/clean-up/digitalocean";
import { sweep } from "../../../../../agents/clean-up/sweep";
import { StandInDigitalOcean } from "./stand-in";

const place = {
    kind: "digitalocean",
    vpcId: "vpc-1",
    tag: "c",
    ownLoadBalancers: ["c-api", "c-ingress"],
    volumePrefix: "pvc-",
} as const;
const region = { slug: "fra1" };

describe("what a dead cluster left in DigitalOcean", () => {
    let cloud: StandInDigitalOcean;
    let env: NodeJS.ProcessEnv;

    beforeEach(async () => {
        cloud = new StandInDigitalOcean();
        env = { DIGITALOCEAN_API_URL: await cloud.start(), DIGITALOCEAN_TOKEN: "token" };
        const balancer = (id: string, name: string, droplet_ids: number[], vpc_uuid = "vpc-1") => ({
            ...{ id, name, vpc_uuid, droplet_ids },
        });
        const volume = (id: string, name: string, tags: string[], droplet_ids: number[] = []) => ({
            ...{ id, name, tags, droplet_ids, size_gigabytes: 5, region },
        });
        Object.assign(cloud.lists, {
            vpcs: [{ id: "vpc-1" }],
            droplets: [
                { id: 1, tags: ["c", "c-controller"] },
                { id: 2, tags: ["c"] },
                { id: 3, tags: ["d"] },
            ],
            load_balancers: [
                balancer("1", "c-api", [1]),
                balancer("2", `a${"0f".repeat(15)}1`, []),
                balancer("3", "named-by-its-service", [2]),
                balancer("4", "somebody's", [2, 3]),
                balancer("5", `a${"0e".repeat(15)}1`, [3], "vpc-2"),
                balancer("6", "empty", []),
            ],
            volumes: [
                volume("7", "pvc-7", ["c"], [2]),
                volume("8", "c-controller-0-etcd", [], [1]),
                volume("9", "pvc-9", ["c-other"]),
            ],
        });
    });
    afterEach(() => cloud.stop());

    const left = (kind: string) => cloud.lists[kind]!.map(({ id }) => id);
    const access = () => digitalOceanAccess(place, env);
    const common = { access, print: () => {}, timeoutSeconds: 10, findByHand: [] };

    it("goes: load balancers in its VPC that are its Services', and volumes of its claims", async () => {
        await sweep({ ...common, choice: "delete-volumes" });
        assert.deepEqual(left("load_balancers"), ["1", "4", "5", "6"]);
        assert.deepEqual(left("volumes"), ["8", "9"]);
        const ofVolumes = cloud.asked.filter((each) => each.includes("volumes"));
        assert.deepEqual(ofVolumes, ["POST volumes/7/actions", "DELETE volumes/7"]);
    });

    it("does not go without a word on volumes", async () => {
        await assert.rejects(sweep(common), /volume pvc-7 of 5 GiB/);
        assert.equal(left("load_balancers").length, 6);
    });

    it("is not looked for without a token, or with another account's", async () => {
        await assert.rejects(
            digitalOceanAccess(place, {}),
            /no token of DigitalOcean was found: set DIGITALOCEAN_TOKEN/,
        );
        cloud.lists.vpcs = [];
        await assert.rejects(access(), /not of the account that has the VPC vpc-1/);
    });
});
