import type { StackConfig } from "../../../local/stack-config";
import { digitalOceanAccount } from "../account/digitalocean";
import type { Resource, VerifiedCloud } from "./facts";

const workersOf = (config: StackConfig) =>
    ((config["tradewind:workerPools"] ?? []) as { count?: number }[]).reduce((sum, { count = 0 }) => sum + count, 0);

export const digitalocean: VerifiedCloud = {
    credentials: "DIGITALOCEAN_TOKEN",
    accountKeys: /^digitalocean:(token|apiEndpoint)$/,
    account: (cluster, _region, env) => digitalOceanAccount(cluster, env),
    replacing: (_pool, node) => ({ keys: { "tradewind:recreate": [node] } }),
    questions: [
        {
            question: "Does a firewall without a rule for ICMPv6 let in what IPv6 needs of it?",
            how: "`ipv6: true` and, minutes after its boot, `curl -6` to any site on a node: no step uses IPv6",
        },
        {
            question: "Can a LoadBalancer Service have more than ten backends?",
            step: "LoadBalancer Service",
            isTried: (config) => workersOf(config) > 10,
            how: "`--workers 11` and `cloudController: true`",
        },
    ],
    prices: {
        // "New Monthly Price" of 2022-07-01, gist.github.com/colinwilson/cd31bde012f6727b24b2fc4ebee749c0, unchanged on
        // 2024-03-26, github.com/Hamerbyh/vpsprice
        machines: {
            "s-1vcpu-2gb": 12,
            "s-2vcpu-2gb": 18,
            "s-2vcpu-4gb": 24,
            "s-4vcpu-8gb": 48,
        },
        // github.com/kubernetes/kops/issues/4997 and adhdecode's guide to DigitalOcean's costs: $0.10 per GB
        storage: 0.1,
        publicAddress: 0,
        natGateway: 0,
        // One node; $12 in public repositories up to 2026. Archived copies of DigitalOcean's documentation from 2021 say $10.
        loadBalancer: 12,
        endpoint: 0,
        hostedZone: 0,
    },
    priced: {
        "digitalocean:index/droplet:Droplet": (droplet) => ({
            [nameOf(droplet).includes("-controller-") ? "controllers" : "workers"]: { [droplet.inputs!.size]: 1 },
        }),
        "digitalocean:index/volume:Volume": ({ inputs }) => ({ storage: inputs!.size }),
        "digitalocean:index/loadBalancer:LoadBalancer": ({ inputs }) => ({ loadBalancers: inputs!.sizeUnit ?? 1 }),
    },
    free: [
        // Its storage, 0.06 dollars per gigabyte and month, depends on the size that the import finds.
        "digitalocean:index/customImage:CustomImage",
        "digitalocean:index/dnsRecord:DnsRecord",
        "digitalocean:index/domain:Domain",
        "digitalocean:index/firewall:Firewall",
        "digitalocean:index/project:Project",
        "digitalocean:index/projectResources:ProjectResources",
        // The subscription is per account, regardless of their number.
        "digitalocean:index/spacesBucket:SpacesBucket",
        "digitalocean:index/spacesKey:SpacesKey",
        "digitalocean:index/sshKey:SshKey",
        "digitalocean:index/tag:Tag",
        "digitalocean:index/vpc:Vpc",
    ],
};

function nameOf({ urn }: Resource): string {
    return urn.slice(urn.lastIndexOf("::") + 2);
}
