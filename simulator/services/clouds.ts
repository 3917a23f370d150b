import { awsServices } from "../aws/services";
import { digitalOceanServices } from "../digitalocean/services";

/** The clouds that machines can ask. */
export const clouds = { aws: awsServices, digitalocean: digitalOceanServices };

export type CloudName = keyof typeof clouds;
