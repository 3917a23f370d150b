import type { CloudFacts } from "./facts";

export const digitalocean: CloudFacts = {
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
