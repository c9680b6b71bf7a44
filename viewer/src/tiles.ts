// Keeps each face inside its tile of a texture. Minecraft puts the pictures of all blocks into one
// texture; at the edge of a face, and where edges are smoothed, a pixel next to the tile would be
// taken, which shows as dark seams between blocks.
import { BufferAttribute, NearestFilter, ShaderChunk, type BufferGeometry, type MeshLambertMaterial } from 'three';

/** Tiles of vertices: the extent of the texture coordinates of the faces around each. */
function tilesOf(geometry: BufferGeometry): Float32Array {
  const uv = geometry.getAttribute('uv');
  const { index } = geometry;
  const tiles = new Float32Array(4 * uv.count);
  for (let i = 0; i < tiles.length; i += 4) tiles.set([Infinity, Infinity, -Infinity, -Infinity], i);
  const corners = index?.count ?? uv.count;
  const corner = (i: number) => (index ? index.getX(i) : i);
  for (let i = 0; i + 2 < corners; i += 3) {
    const face = [corner(i), corner(i + 1), corner(i + 2)];
    const u = face.map((v) => uv.getX(v));
    const v = face.map((at) => uv.getY(at));
    const extent = [Math.min(...u), Math.min(...v), Math.max(...u), Math.max(...v)];
    for (const vertex of face)
      for (let side = 0; side < 4; side++) {
        const at = 4 * vertex + side;
        tiles[at] = side < 2 ? Math.min(tiles[at], extent[side]) : Math.max(tiles[at], extent[side]);
      }
  }
  return tiles;
}

const VERTEX_HEAD = 'attribute vec4 tile;\nflat varying vec4 vTile;\n';
// Frames of animated textures move the tile too.
const VERTEX = `#include <uv_vertex>
  vec2 tileFrom = (mapTransform * vec3(tile.xy, 1.0)).xy;
  vec2 tileTo = (mapTransform * vec3(tile.zw, 1.0)).xy;
  vTile = vec4(min(tileFrom, tileTo), max(tileFrom, tileTo));
`;
const FRAGMENT_HEAD = `flat varying vec4 vTile;
vec2 insideTile(vec2 at, vec2 texel) {
  vec2 middle = 0.5 * (vTile.xy + vTile.zw);
  return clamp(at, min(vTile.xy + 0.5 * texel, middle), max(vTile.zw - 0.5 * texel, middle));
}
`;
const SAMPLE = 'texture2D( map, vMapUv )';
const FRAGMENT = ShaderChunk.map_fragment.replace(SAMPLE, 'textureGrad( map, insideTile( vMapUv, 1.0 / vec2( textureSize( map, 0 ) ) ), dFdx( vMapUv ), dFdy( vMapUv ) )');

function cutTiles(shader: { vertexShader: string; fragmentShader: string }) {
  shader.vertexShader = VERTEX_HEAD + shader.vertexShader.replace('#include <uv_vertex>', VERTEX);
  shader.fragmentShader = FRAGMENT_HEAD + shader.fragmentShader.replace('#include <map_fragment>', FRAGMENT);
}

/** Only for textures whose texels are seen: smooth ones have no edges to lose. */
export function keepInTiles(geometry: BufferGeometry, ...materials: (MeshLambertMaterial | null)[]) {
  if (materials[0]?.map?.magFilter !== NearestFilter || !geometry.getAttribute('uv')) return;
  if (!geometry.getAttribute('tile')) geometry.setAttribute('tile', new BufferAttribute(tilesOf(geometry), 4));
  for (const material of materials) if (material) material.onBeforeCompile = cutTiles;
}
