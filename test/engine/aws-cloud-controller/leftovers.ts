import type { Account } from "../../../simulator/clouds/aws/account";

const tags = { "kubernetes.io/cluster/c": "owned" };

/** What AWS' cloud controller and volume driver leave behind when their cluster dies, with their names and tags. */
export function leaveBehind(account: Account, worker: string): void {
    const vpc = "vpc-1";
    const place = {
        vpc,
        address: "10.9.0.9",
        dnsName: "lb.example.com",
        subnets: ["subnet-1"],
        createdBy: "c-controllers",
    };
    account.put("securityGroups", "sg-9", { name: "k8s-elb-a1", vpc, tags });
    const rule = { group: "sg-3", isIngress: true, protocol: "-1", peer: "sg-9", name: "from a1" };
    account.put("securityRules", "sgr-9", rule);
    const check = { target: "TCP:30000", interval: 10, timeout: 5, healthyThreshold: 2, unhealthyThreshold: 6 };
    account.put("classicLoadBalancers", "a1", {
        ...{ ...place, name: "a1", groups: ["sg-9"], tags, ports: [], check, instances: [worker] },
    });
    const arn = (what: string) => account.arn("elasticloadbalancing", what);
    const balancer = arn("loadbalancer/net/a2/50dc6c495c0c9188");
    account.put("loadBalancers", balancer, { ...place, name: "a2", groups: [], tags });
    const targetGroup = arn("targetgroup/k8s-a2/73e2d6bc24d8a067");
    account.put("targetGroups", targetGroup, { name: "k8s-a2", vpc, port: 30_001, tags });
    account.put("listeners", arn("listener/net/a2/1/2"), {
        name: "a2 80",
        loadBalancer: balancer,
        targetGroup,
        port: 80,
    });
    const claim = { "kubernetes.io/created-for/pvc/namespace": "shop", "kubernetes.io/created-for/pvc/name": "orders" };
    const volume = { zone: "eu-central-1a", size: 20 };
    account.put("volumes", "vol-1", { ...volume, name: "c-dynamic-pvc-1", tags: { ...tags, ...claim } });
    account.put("volumeAttachments", "vai-1", { name: "a", volume: "vol-1", instance: worker, device: "/dev/xvdaa" });
}

/** Similar resources of the stack, of another cluster of that name, or of somebody else. */
export function belongToOthers(account: Account): void {
    const own = { ...tags, "tradewind.dev/cluster": "c" };
    const place = { address: "10.9.0.8", dnsName: "api.example.com", subnets: ["subnet-1"], groups: [] };
    const arn = (what: string) => account.arn("elasticloadbalancing", what);
    account.put("loadBalancers", arn("loadbalancer/net/c-api/1"), { ...place, vpc: "vpc-1", name: "c-api", tags: own });
    account.put("targetGroups", arn("targetgroup/c-api/1"), { name: "c-api", vpc: "vpc-1", port: 6443, tags: own });
    account.put("vpcs", "vpc-2", { name: "eks", cidr: "10.8.0.0/24" });
    account.put("loadBalancers", arn("loadbalancer/net/other/1"), { ...place, vpc: "vpc-2", name: "other", tags });
    account.put("loadBalancers", arn("loadbalancer/net/mine/1"), { ...place, vpc: "vpc-1", name: "mine", tags: {} });
    account.put("securityGroups", "sg-7", { name: "k8s-elb-other", vpc: "vpc-2", tags });
    const rule = { name: "somebody's", group: "sg-3", isIngress: true, protocol: "-1", cidr: "10.0.0.0/8" };
    account.put("securityRules", "sgr-8", rule);
    const volume = { zone: "eu-central-1a", size: 8 };
    account.put("volumes", "vol-etcd", { ...volume, name: "c-controller-0-etcd", tags: own });
    account.put("volumes", "vol-mine", { ...volume, name: "mine", tags: { "kubernetes.io/cluster/d": "owned" } });
}
