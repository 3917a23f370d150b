import { types } from "../../../../simulator/digitalocean/types";
import { itHasTheTypesOf } from "../sdk-types";

describe("the types of the simulated DigitalOcean", () => itHasTheTypesOf("@pulumi/digitalocean", types));
