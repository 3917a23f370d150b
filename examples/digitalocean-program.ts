// A domain, an SSH key, an image, a project, a tag and a cluster that uses them, created by one program and one `pulumi up`.
import { CustomImage } from "@pulumi/digitalocean/customImage";
import { Domain } from "@pulumi/digitalocean/domain";
import { Project } from "@pulumi/digitalocean/project";
import { SshKey } from "@pulumi/digitalocean/sshKey";
import { Tag } from "@pulumi/digitalocean/tag";
import { DigitalOceanCluster } from "../index";

const region = "fra1";

// Nodes find the API by this domain: delegate it, to ns1, ns2 and ns3.digitalocean.com.
const domainName = "team.example.org";
const domain = new Domain("team", { name: domainName });
const key = new SshKey("team", {
    name: "team",
    publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f admin@example.org",
});
const image = new CustomImage("flatcar", {
    name: "flatcar-4593.2.1",
    url: "https://stable.release.flatcar-linux.net/amd64-usr/4593.2.1/flatcar_production_digitalocean_image.bin.bz2",
    distribution: "CoreOS",
    regions: [region],
});
const project = new Project("team", { name: "team", environment: "production" });
const tag = new Tag("team", { name: "team" });

const cluster = new DigitalOceanCluster(
    "blue",
    {
        domain: domainName,
        region,
        image: image.id,
        sshKeys: [key.id],
        project: project.id,
        tags: [tag.name],
        workerPools: [{ name: "default" }],
    },
    // The domain is looked up by its name once it exists, and deleted after the cluster's records.
    { dependsOn: [domain] },
);

export const { kubeconfig, apiUrl } = cluster;
