import assert from "node:assert/strict";
import { ec2 } from "../../../../../../../simulator/clouds/aws/services/ec2";
import { asked } from "../query/asked";

const version = "2016-11-15";

describe("instances of a simulated account", () => {
    it("have their type, zone, name and address", async () => {
        const { text } = await asked(ec2, version).ask("DescribeInstances", { "InstanceId.1": "i-2" });
        for (const part of [
            "<instanceId>i-2</instanceId>",
            "<instanceType>t3.medium</instanceType>",
            "<availabilityZone>eu-central-1a</availabilityZone>",
            "<privateDnsName>i-2.eu-central-1.compute.internal</privateDnsName>",
            "<privateIpAddress>10.9.0.5</privateIpAddress>",
            "<groupId>sg-1</groupId>",
        ]) {
            assert.ok(text.includes(part), `${part} in ${text}`);
        }
        assert.ok(!text.includes("<instanceId>i-1<"));
    });

    it("are found by their private address", async () => {
        const filter = { "Filter.1.Name": "private-ip-address", "Filter.1.Value.1": "10.9.0.5" };
        const { text } = await asked(ec2, version).ask("DescribeInstances", filter);
        assert.deepEqual(
            [...text.matchAll(/<instanceId>(.*?)</g)].map(([, id]) => id),
            ["i-2"],
        );
    });

    it("have an IPv6 address only if their subnet assigned one", async () => {
        const { account, ask } = asked(ec2, version);
        account.change("instances", "i-2", (now) => ({ ...now, address6: "2001:db8::5" }));
        const [first, second] = ["i-1", "i-2"].map((id) => ask("DescribeInstances", { "InstanceId.1": id }));
        assert.doesNotMatch((await first!).text, /ipv6Address>/);
        const set = "<ipv6AddressesSet><item><ipv6Address>2001:db8::5</ipv6Address>";
        assert.ok((await second!).text.includes(set), (await second!).text);
    });

    it("do not exist after their deletion", async () => {
        const { code, status } = await asked(ec2, version).ask("DescribeInstances", { "InstanceId.1": "i-9" });
        assert.deepEqual([status, code], [400, "InvalidInstanceID.NotFound"]);
    });

    it("are described with their states, for an hour after their termination too", async () => {
        const { account, ask } = asked(ec2, version);
        account.change("instances", "i-2", (now) => ({ ...now, state: "shutting-down" }));
        const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
        account.put("terminatedInstances", "i-3", { name: "c-c", time: ago(59) });
        account.put("terminatedInstances", "i-4", { name: "c-d", time: ago(61) });
        const ids = Object.fromEntries([1, 2, 3, 4].map((each) => [`Filter.1.Value.${each}`, `i-${each}`]));
        const { text } = await ask("DescribeInstances", { "Filter.1.Name": "instance-id", ...ids });
        assert.deepEqual(
            [...text.matchAll(/<instanceId>(.*?)<\/instanceId>.*?<name>(.*?)<\/name>/gs)].map(([, ...each]) => each),
            [
                ["i-3", "terminated"],
                ["i-1", "running"],
                ["i-2", "shutting-down"],
            ],
        );
        assert.deepEqual(
            account.left.filter((each) => each.startsWith("terminated")),
            [],
        );
    });

    it("are not described without permission, or without a signature", async () => {
        const { ask } = asked(ec2, version, [{ actions: ["ec2:DescribeSubnets"] }]);
        assert.equal((await ask("DescribeInstances")).code, "UnauthorizedOperation");
        assert.equal((await ask("DescribeSubnets")).status, 200);
        const { body, status } = await asked(ec2, version).send("DescribeInstances", {}, false);
        assert.match(`${status} ${body}`, /^403 .*MissingAuthenticationToken/s);
    });

    it("are selected by simulated actions and filters", async () => {
        const { ask } = asked(ec2, version);
        assert.equal((await ask("RunInstances")).code, "InvalidAction");
        const form = { "Filter.1.Name": "dns-name", "Filter.1.Value.1": "x" };
        assert.equal((await ask("DescribeInstances", form)).code, "InvalidParameterValue");
    });

    it("have subnets, zones and routes", async () => {
        const { account, ask } = asked(ec2, version);
        account.put("routeTables", "rtb-1", { name: "t", vpc: "vpc-1" });
        account.put("associations", "rtbassoc-1", { name: "a", table: "rtb-1", subnet: "subnet-1" });
        account.put("routes", "r-1", { name: "r", table: "rtb-1", gateway: "igw-1" });
        const tables = (await ask("DescribeRouteTables", { "Filter.1.Name": "vpc-id", "Filter.1.Value.1": "vpc-1" }))
            .text;
        assert.match(tables, /<gatewayId>igw-1<\/gatewayId>.*<subnetId>subnet-1<\/subnetId><main>false<\/main>/);
        assert.match(tables, /<main>true<\/main>/);
        const zones = (
            await ask("DescribeAvailabilityZones", {
                "Filter.1.Name": "zone-name",
                "Filter.1.Value.1": "eu-central-1b",
            })
        ).text;
        assert.match(zones, /<zoneId>eu-central-1-az2<\/zoneId>/);
        assert.ok(!zones.includes("eu-central-1a<"));
        assert.match((await ask("DescribeSubnets")).text, /<cidrBlock>10.9.0.0\/28<\/cidrBlock>/);
        assert.match((await ask("DescribeInstanceTopology")).text, /<instanceSet><\/instanceSet>/);
    });
});
