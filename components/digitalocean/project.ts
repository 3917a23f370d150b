import { getProject } from "@pulumi/digitalocean/getProject";
import { ProjectResources } from "@pulumi/digitalocean/projectResources";
import * as pulumi from "@pulumi/pulumi";
import { invalid, requireMatch } from "../../cluster/validate";
import { plainError } from "../pulumi/errors";

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Id of a project of the account, looked up by id or name at preview, before anything is assigned to it. */
export function findProject(
    project: string | undefined,
    { parent }: pulumi.CustomResourceOptions,
): pulumi.Output<string> | undefined {
    if (project === undefined) return undefined;
    const found = getProject(id.test(project) ? { id: project } : { name: project }, { parent }).catch(
        (error: Error) => {
            const { message } = error;
            const isMissing = !/\b(401|403|429|5\d\d)\b/.test(message);
            const wrong = invalid("project", "the name or id of a project of the account", project).message;
            throw plainError(`${isMissing ? wrong : `could not look up the project ${project}`}: ${message}`);
        },
    );
    return pulumi.output(found).apply((each) => each.id);
}

/**
 * Assigns resources to the project, if set, that cannot be created in it. DigitalOcean creates resources in the default
 * project otherwise.
 *
 * Never undone: a resource removed from a project moves to the default one, even if it has been assigned to another
 * project meanwhile.
 */
export function assignToProject(
    cluster: string,
    project: pulumi.Input<string> | undefined,
    urns: readonly pulumi.Input<string>[],
    opts: pulumi.CustomResourceOptions,
): void {
    if (project === undefined) return;
    new ProjectResources(cluster, { project, resources: [...urns] }, { ...opts, retainOnDelete: true });
}

/** Tags that firewalls and load balancers select a cluster's droplets by. */
export function ownTags(cluster: string) {
    // With a colon, no cluster's name is another one's tag.
    const workers = `${cluster}:worker`;
    return { nodes: cluster, controllers: `${cluster}-controller`, workers, ingress: `${cluster}-ingress` };
}

/** Throws unless all tags are valid in DigitalOcean, unique, and do not open a firewall. Tags are case-insensitive. */
export function requireTags(tags: readonly string[], cluster: string): readonly string[] {
    const own: readonly string[] = Object.values(ownTags(cluster));
    const lowered = tags.map((tag) => tag.toLowerCase());
    tags.forEach((tag, index) => {
        const option = `tags[${index}]`;
        requireMatch(
            option,
            /^[A-Za-z0-9:_-]{1,255}$/,
            "1 to 255 letters, digits, colons, dashes and underscores",
            tag,
        );
        if (own.includes(lowered[index]!))
            throw invalid(option, `none of ${own.join(", ")}, which open firewalls`, tag);
        if (lowered.indexOf(lowered[index]!) !== index) throw invalid(option, "listed once", tag);
    });
    return tags;
}
