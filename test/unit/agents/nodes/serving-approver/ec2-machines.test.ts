import assert from "node:assert/strict";
import { ec2Machines, joinedInstances } from "../../../../../agents/nodes/serving-approver/ec2-machines";
import type { Ec2Instance } from "../../../../../clients/aws/ec2-instances";

const plan = { namePattern: "^i-[0-9a-f]{17}(\\.eu-central-1\\.compute\\.internal)?$", groups: ["c-a"] };
const id = (digit: string) => `i-${digit.repeat(17)}`;
const known = { "c-controller-0": [id("1")] };

interface More {
    readonly group?: string;
    readonly state?: string;
    readonly more?: string;
    readonly vpc?: string;
}

function instance(digit: string, address: string, of: More = {}): Ec2Instance {
    const { group, state = "running", more = "", vpc = "vpc-1" } = of;
    const ofGroup =
        group === undefined ? "" : `<item><key>aws:autoscaling:groupName</key><value>${group}</value></item>`;
    const xml = `<vpcId>${vpc}</vpcId><privateDnsName>${id(digit)}.eu-central-1.compute.internal</privateDnsName>
        <privateIpAddress>${address}</privateIpAddress>${more}
        <networkInterfaceSet><item><privateIpAddress>${address}</privateIpAddress></item></networkInterfaceSet>
        <tagSet><item><key>Name</key><value>c</value></item>${ofGroup}</tagSet>`;
    return { id: id(digit), state, xml };
}

describe("names and addresses of nodes' instances", () => {
    const all = [
        instance("1", "10.0.0.4", { more: "<ipAddress>203.0.113.7</ipAddress><dnsName>ec2-1.example</dnsName>" }),
        instance("2", "10.0.0.5", { group: "c-a", more: "<ipv6Address>fd00::5</ipv6Address>" }),
        instance("3", "10.0.0.6", { group: "d-a" }),
        instance("4", "10.0.0.7", { group: "c-a", state: "terminated" }),
        instance("5", "10.0.0.8"),
    ];
    let asked: readonly string[];
    const machines = (...nodes: string[]) =>
        ec2Machines(nodes, known, plan, async (ids) => {
            asked = ids;
            return all.filter((each) => ids.includes(each.id));
        });

    it("come from EC2 for the stack's own ones", async () => {
        const names = [`${id("1")}.eu-central-1.compute.internal`, "10.0.0.4", "203.0.113.7", "ec2-1.example"];
        assert.deepEqual(await machines("c-controller-0"), { "c-controller-0": names });
        assert.deepEqual(asked, [id("1")]);
    });

    it("come from EC2 for those of its groups, under either of their names", async () => {
        const name = `${id("2")}.eu-central-1.compute.internal`;
        const names = [name, "10.0.0.5", "fd00::5"];
        assert.deepEqual(await machines(id("2"), name), { [id("2")]: names, [name]: names });
    });

    const strange = {
        "another cluster's group made": id("3"),
        "is terminated": id("4"),
        "no group made": id("5"),
        "EC2 does not know": id("6"),
    };
    for (const [title, node] of Object.entries(strange)) {
        it(`exclude one that ${title}`, async () => assert.deepEqual(await machines(node), {}));
    }

    it("are not queried for unknown nodes", async () => {
        asked = [];
        assert.deepEqual(await machines("c-b-0", "constructor", `x${id("2")}`), {});
        assert.deepEqual(asked, []);
    });
});

describe("names and addresses of instances that joined by a token", () => {
    const machine = { pool: "a", token: "abcdef", expires: "2030-01-01T01:00:00Z" };
    const joined = {
        "rack-1": { ...machine, addresses: ["10.0.0.9", "fd00::9"] },
        "rack-2": { ...machine, addresses: ["10.0.0.8"] },
    };
    const asked: (readonly string[])[] = [];
    const found = (nodes: readonly string[], ...others: Ec2Instance[]) =>
        joinedInstances(nodes, joined, known, async (values, by) => {
            asked.push(values);
            const own = by === "instance-id" ? [instance("1", "10.0.0.4")] : others;
            return own.filter(({ xml }) => by === "instance-id" || values.some((each) => xml.includes(each)));
        });

    it("are found by the address that the administrator gave", async () => {
        const own = instance("7", "10.0.0.9", { more: "<ipAddress>203.0.113.9</ipAddress>" });
        const names = ["10.0.0.9", "fd00::9", `${id("7")}.eu-central-1.compute.internal`, "203.0.113.9"];
        assert.deepEqual(await found(["rack-1", "c-controller-0"], own), { "rack-1": names });
        assert.deepEqual(asked, [[id("1")], ["10.0.0.9"]]);
    });

    const strange: Readonly<Record<string, Ec2Instance>> = {
        "another VPC": instance("7", "10.0.0.9", { vpc: "vpc-2" }),
        "an Auto Scaling group": instance("7", "10.0.0.9", { group: "c-a" }),
        "the past": instance("7", "10.0.0.9", { state: "terminated" }),
        "another address that begins the same": instance("7", "10.0.0.90"),
    };
    for (const [title, each] of Object.entries(strange)) {
        it(`are not those of an instance of ${title}`, async () => assert.deepEqual(await found(["rack-1"], each), {}));
    }

    it("are not queried if no such machine waits", async () => {
        asked.length = 0;
        assert.deepEqual(await found(["c-controller-0", "constructor"]), {});
        assert.deepEqual(asked, []);
    });
});
