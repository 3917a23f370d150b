import assert from "node:assert/strict";
import { ec2Machines } from "../../../../../agents/nodes/serving-approver/ec2-machines";
import type { Ec2Instance } from "../../../../../clients/aws/ec2-instances";

const plan = { namePattern: "^i-[0-9a-f]{17}(\\.eu-central-1\\.compute\\.internal)?$", groups: ["c-a"] };
const id = (digit: string) => `i-${digit.repeat(17)}`;
const known = { "c-controller-0": [id("1")] };

function instance(digit: string, address: string, { group = "", state = "running", more = "" } = {}): Ec2Instance {
    const xml = `<privateDnsName>${id(digit)}.eu-central-1.compute.internal</privateDnsName>
        <privateIpAddress>${address}</privateIpAddress>${more}
        <networkInterfaceSet><item><privateIpAddress>${address}</privateIpAddress></item></networkInterfaceSet>
        <tagSet><item><key>Name</key><value>c</value></item>
        <item><key>aws:autoscaling:groupName</key><value>${group}</value></item></tagSet>`;
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
