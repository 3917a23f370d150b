/**
 * Scopes that the token of whoever runs Pulumi on DigitalOcean needs, by the resource or function of `@pulumi/digitalocean` that
 * components import.
 *
 * Source: DigitalOcean's reference of scopes. Nothing of it ran there.
 */
export const digitalOceanOperator: Readonly<Record<string, readonly string[]>> = {
    getVpc: ["vpc:read"],
    vpc: ["vpc:create", "vpc:read", "vpc:update", "vpc:delete"],
    droplet: [
        ...["droplet:create", "droplet:read", "droplet:update", "droplet:delete"],
        ...["actions:read", "image:read", "regions:read", "sizes:read", "ssh_key:read", "vpc:read", "tag:create"],
    ],
    volume: [
        ...["block_storage:create", "block_storage:read", "block_storage:delete"],
        ...["block_storage_action:create", "block_storage_action:read", "tag:create"],
    ],
    loadBalancer: [
        ...["load_balancer:create", "load_balancer:read", "load_balancer:update", "load_balancer:delete"],
        ...["droplet:read", "vpc:read"],
    ],
    firewall: ["firewall:create", "firewall:read", "firewall:update", "firewall:delete", "droplet:read", "tag:read"],
    dnsRecord: ["domain:create", "domain:read", "domain:update", "domain:delete"],
    tag: ["tag:create", "tag:read", "tag:delete"],
    getProject: ["project:read"],
    projectResources: ["project:read", "project:update"],
    spacesBucket: ["a key of Spaces with full access, beside the token"],
    spacesKey: [
        ...["spaces_key:create_credentials", "spaces_key:read", "spaces_key:update", "spaces_key:delete"],
        "a key of Spaces with full access, beside the token",
    ],
};
