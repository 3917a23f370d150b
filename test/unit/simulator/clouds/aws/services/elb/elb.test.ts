import assert from "node:assert/strict";
import { elasticLoadBalancing } from "../../../../../../../simulator/clouds/aws/services/elb";
import { asked, tagForm } from "../query/asked";

const tag = "kubernetes.io/cluster/c";
const owned = { [tag]: "owned" };
const ofStack = { ...owned, "tradewind.dev/cluster": "c" };
const place = { vpc: "vpc-1", address: "10.9.0.14", dnsName: "a.elb", subnets: ["subnet-1"], groups: [] };

describe("classic load balancers of a simulated account", () => {
    const version = "2012-06-01";
    const classic = {
        ...place,
        name: "a",
        ports: [{ port: 80, protocol: "TCP", instancePort: 30_080, instanceProtocol: "TCP" }],
        check: { target: "TCP:30080", interval: 10, timeout: 5, healthyThreshold: 2, unhealthyThreshold: 6 },
        instances: ["i-1"],
    };

    it("are described, with a specific error code if they do not exist", async () => {
        const { account, ask } = asked(elasticLoadBalancing, version);
        account.put("classicLoadBalancers", "a", classic);
        const { text } = await ask("DescribeLoadBalancers", { "LoadBalancerNames.member.1": "a" });
        assert.match(text, /<DNSName>a.elb<\/DNSName>/);
        assert.match(text, /<LoadBalancerPort>80<\/LoadBalancerPort><Protocol>TCP<\/Protocol><InstancePort>30080/);
        assert.match(text, /<Instances><member><InstanceId>i-1<\/InstanceId><\/member><\/Instances>/);
        assert.match(text, /<Target>TCP:30080<\/Target><Interval>10</);
        const missing = await ask("DescribeLoadBalancers", { "LoadBalancerNames.member.1": "b" });
        assert.equal(missing.code, "LoadBalancerNotFound");
    });

    it("have attributes", async () => {
        const { account, ask } = asked(elasticLoadBalancing, version);
        account.put("classicLoadBalancers", "a", {
            ...classic,
            attributes: { "ConnectionSettings.IdleTimeout": "90" },
        });
        const { text } = await ask("DescribeLoadBalancerAttributes", { LoadBalancerName: "a" });
        assert.match(text, /<ConnectionSettings><IdleTimeout>90<\/IdleTimeout>/);
        assert.match(text, /<CrossZoneLoadBalancing><Enabled>false/);
    });

    it("are not created without the cluster's tag", async () => {
        const { ask } = asked(elasticLoadBalancing, version);
        const form = { LoadBalancerName: "a", ...tagForm("Tags.member", { [tag]: "shared" }) };
        assert.equal((await ask("CreateLoadBalancer", form)).code, "AccessDenied");
    });

    for (const [whose, tags] of [
        ["somebody else's", {}],
        ["the stack's", ofStack],
    ] as const) {
        it(`are not changed if they are ${whose}`, async () => {
            const { account, ask } = asked(elasticLoadBalancing, version);
            account.put("classicLoadBalancers", "a", { ...classic, tags });
            for (const action of [
                "DeleteLoadBalancer",
                "CreateLoadBalancerListeners",
                "DeleteLoadBalancerListeners",
                "ConfigureHealthCheck",
                "ApplySecurityGroupsToLoadBalancer",
                "RegisterInstancesWithLoadBalancer",
                "DeregisterInstancesFromLoadBalancer",
                "ModifyLoadBalancerAttributes",
            ]) {
                assert.equal((await ask(action, { LoadBalancerName: "a" })).code, "AccessDenied", action);
            }
        });
    }
});

describe("network load balancers of a simulated account", () => {
    const version = "2015-12-01";
    const group = (tags: Record<string, string>) => ({
        Name: "k8s-a",
        VpcId: "vpc-1",
        Protocol: "TCP",
        Port: "30080",
        HealthCheckProtocol: "HTTP",
        HealthCheckPath: "/healthz",
        HealthCheckPort: "10256",
        ...tagForm("Tags.member", tags),
    });

    it("have target groups only with the cluster's tag, and their health checks", async () => {
        const { account, ask } = asked(elasticLoadBalancing, version);
        assert.equal((await ask("CreateTargetGroup", group({}))).code, "AccessDenied");
        const { text } = await ask("CreateTargetGroup", group(owned));
        assert.match(text, /<HealthCheckPath>\/healthz<\/HealthCheckPath>/);
        const [arn, created] = Object.entries(account.resources.targetGroups)[0]!;
        assert.deepEqual(
            [created.check, created.createdBy, created.tags],
            [{ port: 10_256, path: "/healthz" }, "r", owned],
        );
        assert.equal((await ask("DeleteTargetGroup", { TargetGroupArn: arn })).status, 200);
        assert.equal(
            (await ask("DescribeTargetGroups", { "TargetGroupArns.member.1": arn })).code,
            "TargetGroupNotFound",
        );
    });

    it("leave the stack's alone", async () => {
        const { account, ask } = asked(elasticLoadBalancing, version);
        const arn = account.arn("elasticloadbalancing", "loadbalancer/net/c-api/1");
        account.put("loadBalancers", arn, { ...place, name: "c-api", tags: ofStack });
        const targets = account.arn("elasticloadbalancing", "targetgroup/c-api/1");
        account.put("targetGroups", targets, { name: "c-api", vpc: "vpc-1", port: 6443, tags: ofStack });
        const listener = account.arn("elasticloadbalancing", "listener/net/c-api/1/1");
        account.put("listeners", listener, {
            name: "c-api",
            loadBalancer: arn,
            targetGroup: targets,
            port: 6443,
            tags: ofStack,
        });
        for (const [action, form] of [
            ["DeleteLoadBalancer", { LoadBalancerArn: arn }],
            ["CreateListener", { LoadBalancerArn: arn, ...tagForm("Tags.member", owned) }],
            ["ModifyLoadBalancerAttributes", { LoadBalancerArn: arn }],
            ["DeleteTargetGroup", { TargetGroupArn: targets }],
            ["RegisterTargets", { TargetGroupArn: targets }],
            ["DeleteListener", { ListenerArn: listener }],
            ["ModifyListener", { ListenerArn: listener }],
        ] as const) {
            assert.equal((await ask(action, form)).code, "AccessDenied", action);
        }
        assert.match((await ask("DescribeLoadBalancers", { "Names.member.1": "c-api" })).text, /<Code>active<\/Code>/);
        assert.equal((await ask("DescribeLoadBalancers", { "Names.member.1": "x" })).code, "LoadBalancerNotFound");
    });
});
