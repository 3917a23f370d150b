import { owned, type Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { customImage } from "./custom-image";
import { dnsRecord } from "./dns-record";
import { domain } from "./domain";
import { droplet } from "./droplet";
import { firewall } from "./firewall";
import { loadBalancer } from "./load-balancer";
import { ownership } from "./ownership";
import { project } from "./project";
import { projectResources } from "./project-resources";
import { spacesBucket, spacesKey } from "./spaces-bucket";
import { sshKey } from "./ssh-key";
import { tag } from "./tag";
import { volume } from "./volume";
import { vpc } from "./vpc";

const simulated: Readonly<Record<string, Simulated<Account>>> = {
    "digitalocean:index/customImage:CustomImage": customImage,
    "digitalocean:index/dnsRecord:DnsRecord": dnsRecord,
    "digitalocean:index/domain:Domain": domain,
    "digitalocean:index/droplet:Droplet": droplet,
    "digitalocean:index/firewall:Firewall": firewall,
    "digitalocean:index/loadBalancer:LoadBalancer": loadBalancer,
    "digitalocean:index/project:Project": project,
    "digitalocean:index/projectResources:ProjectResources": projectResources,
    "digitalocean:index/spacesBucket:SpacesBucket": spacesBucket,
    "digitalocean:index/spacesKey:SpacesKey": spacesKey,
    "digitalocean:index/sshKey:SshKey": sshKey,
    "digitalocean:index/tag:Tag": tag,
    "digitalocean:index/volume:Volume": volume,
    "digitalocean:index/vpc:Vpc": vpc,
};

/** All simulated types: exactly those that our stack and examples use. */
export const types = owned(simulated, ownership);
