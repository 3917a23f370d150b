/** What code outside a cloud's own folders knows of the cloud. */
export interface CloudFacts {
    /** Its name in prose. */
    readonly title: string;
    /** Name of the component class. */
    readonly component: string;
    /**
     * Shell that sets `id` to the machine's `spec.providerID`, by the cloud's metadata service; `ask` is curl with
     * timeouts.
     */
    readonly identity: string;
    /** Commands that list everything of a cluster in an account. */
    readonly listingCommands: (cluster: string) => readonly string[];
    /** How a person restarts a node's machine: a command, and what follows in a sentence. */
    readonly restartByHand: (node: string) => string;
    // How the state or the preview of a stack shows it: types, as in `aws:ec2/instance:Instance`, and outputs with facts.
    readonly machine: Of<"publicAddress" | "size" | "zone">;
    readonly network: Of<"cidr">;
    readonly loadBalancer: Of<"address">;
    readonly volume: string;
    /** Parts of load balancers: while one is replaced, its backends are unreachable. @default none */
    readonly balancerParts?: readonly string[];
    /** Other types whose replacement has no impact. @default none */
    readonly harmless?: readonly string[];
    /** Groups of machines that the cloud creates and names. @default every machine is a resource of the stack */
    readonly group?: string;
    /** @default the network has none */
    readonly subnet?: Of<"zone" | "cidr">;
}

type Of<Fact extends string> = { readonly type: string } & Readonly<Record<Fact, string>>;

const aws: CloudFacts = {
    title: "AWS",
    component: "AwsCluster",
    // Source: EC2's "Access instance metadata".
    identity: `metadata=http://169.254.169.254/latest
token=$(ask -X PUT -H "X-aws-ec2-metadata-token-ttl-seconds: 60" $metadata/api/token)
of_instance() { ask -H "X-aws-ec2-metadata-token: $token" "$metadata/meta-data/$1"; }
zone=$(of_instance placement/availability-zone)
instance=$(of_instance instance-id)
id=aws:///$zone/$instance`,
    listingCommands: (cluster) => [
        `aws resourcegroupstaggingapi get-resources --tag-filters Key=tradewind.dev/cluster,Values=${cluster} --query 'ResourceTagMappingList[].ResourceARN'`,
    ],
    restartByHand: (node) => {
        const [id] = /^i-[0-9a-f]+/.exec(node) ?? [];
        const find = `aws ec2 describe-instances --filters Name=tag:Name,Values=${node}`;
        return id
            ? `aws autoscaling terminate-instance-in-auto-scaling-group --no-should-decrement-desired-capacity --instance-id ${id}, for another instance`
            : `aws ec2 stop-instances and start-instances, for another host, with the ID from ${find}`;
    },
    machine: {
        type: "aws:ec2/instance:Instance",
        publicAddress: "publicIp",
        size: "instanceType",
        zone: "availabilityZone",
    },
    network: { type: "aws:ec2/vpc:Vpc", cidr: "cidrBlock" },
    loadBalancer: { type: "aws:lb/loadBalancer:LoadBalancer", address: "dnsName" },
    volume: "aws:ebs/volume:Volume",
    balancerParts: ["aws:lb/targetGroup:TargetGroup", "aws:lb/listener:Listener"],
    // A node config: its name contains the hash of its content.
    harmless: ["aws:s3/bucketObjectv2:BucketObjectv2"],
    group: "aws:autoscaling/group:Group",
    subnet: { type: "aws:ec2/subnet:Subnet", zone: "availabilityZone", cidr: "cidrBlock" },
};

const digitalocean: CloudFacts = {
    title: "DigitalOcean",
    component: "DigitalOceanCluster",
    // Source: DigitalOcean's "Metadata API".
    identity: `droplet=$(ask http://169.254.169.254/metadata/v1/id)
id=digitalocean://$droplet`,
    listingCommands: (cluster) => [
        `doctl compute droplet list --tag-name ${cluster}`,
        ...["load-balancer", "volume", "snapshot"].map((kind) => `doctl compute ${kind} list`),
        "doctl vpcs list",
    ],
    restartByHand: (node) =>
        `doctl compute droplet-action power-cycle ID, or power-on if it is off, with the ID from doctl compute droplet list ${node}`,
    machine: {
        type: "digitalocean:index/droplet:Droplet",
        publicAddress: "ipv4Address",
        size: "size",
        zone: "region",
    },
    network: { type: "digitalocean:index/vpc:Vpc", cidr: "ipRange" },
    loadBalancer: { type: "digitalocean:index/loadBalancer:LoadBalancer", address: "ip" },
    volume: "digitalocean:index/volume:Volume",
};

/** Every cloud but `local`. Records by `CloudName` in other files do not compile without an entry for each. */
const registry = { aws, digitalocean };

export type CloudName = keyof typeof registry;

export const clouds: Readonly<Record<CloudName, CloudFacts>> = registry;
export const cloudNames = Object.keys(registry) as CloudName[];
export const allClouds: readonly CloudFacts[] = Object.values(registry);

/** @returns undefined for a name that is none of a cloud */
export function cloudOf(name: string): CloudFacts | undefined {
    return Object.hasOwn(registry, name) ? registry[name as CloudName] : undefined;
}
