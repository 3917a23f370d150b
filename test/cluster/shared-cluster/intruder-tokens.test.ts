import { attacksWithToken } from "../intruder/with-a-token";
import { sharedCluster, sharedScene } from "../shared";

attacksWithToken(sharedScene, sharedCluster);
