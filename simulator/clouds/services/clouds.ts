import { awsServices } from "../aws/services";
import { digitalOceanServices } from "../digitalocean/services";
import type { CloudName } from "./place";

/** The clouds that machines can query. */
export const clouds = { aws: awsServices, digitalocean: digitalOceanServices } satisfies Record<CloudName, unknown>;
