import { getProject } from "@pulumi/digitalocean/getProject";
import { ProjectResources } from "@pulumi/digitalocean/projectResources";
import type * as pulumi from "@pulumi/pulumi";
import { lookUp } from "../look-up";

const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Id of a project of the account, looked up by that or by its name: in preview, before anything is assigned to it. */
export function findProject(
    project: string | undefined,
    { parent }: pulumi.CustomResourceOptions,
): pulumi.Output<string> | undefined {
    if (project === undefined) return undefined;
    const found = getProject(id.test(project) ? { id: project } : { name: project }, { parent });
    return lookUp(found, "project", "the name or id of a project of the account", project).apply((each) => each.id);
}

/**
 * Assigns to the project, if there is one, what is not made in it. What DigitalOcean makes is in the default project otherwise.
 *
 * Never taken back: whatever leaves a project goes to the default one, what is assigned to another project by then too.
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
