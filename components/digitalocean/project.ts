import { getProject } from "@pulumi/digitalocean/getProject";
import { ProjectResources } from "@pulumi/digitalocean/projectResources";
import * as pulumi from "@pulumi/pulumi";
import { invalid } from "../../cluster/validate";
import { plainError } from "../pulumi/errors";

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Id of a project of the account, looked up by id or name at preview, before anything is assigned to it. */
export function findProject(
    project: pulumi.Input<string> | undefined,
    opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> | undefined {
    if (project === undefined) return undefined;
    return pulumi.output(project).apply((known) => idOf(known, opts));
}

async function idOf(project: string, { parent }: pulumi.CustomResourceOptions): Promise<string> {
    try {
        return (await getProject(id.test(project) ? { id: project } : { name: project }, { parent })).id;
    } catch (error) {
        const { message } = error as Error;
        const isMissing = !/\b(401|403|429|5\d\d)\b/.test(message);
        const wrong = invalid("project", "the name or id of a project of the account", project).message;
        throw plainError(`${isMissing ? wrong : `could not look up the project ${project}`}: ${message}`);
    }
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
