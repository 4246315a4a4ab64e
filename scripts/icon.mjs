// @ts-nocheck geometry: every parameter is a number
// Draws .claude-plugin/icon.png: two speech bubbles, the front one with an @. Run: node scripts/icon.mjs
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

const SIZE = 512
const BACK = [255, 179, 92]
const FRONT = [255, 255, 255]
const INK = [43, 47, 119]

// Each shape is a signed distance in pixels, negative inside: a pixel's coverage then gives smooth edges for nothing.
const box = (x, y, cx, cy, w, h, r) => {
  const [dx, dy] = [Math.abs(x - cx) - w / 2 + r, Math.abs(y - cy) - h / 2 + r]
  return Math.hypot(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - r
}
const ring = (x, y, cx, cy, r, width) => Math.abs(Math.hypot(x - cx, y - cy) - r) - width / 2
const line = (x, y, ax, ay, bx, by, width) => {
  const [px, py, qx, qy] = [x - ax, y - ay, bx - ax, by - ay]
  const t = Math.min(1, Math.max(0, (px * qx + py * qy) / (qx * qx + qy * qy)))
  return Math.hypot(px - t * qx, py - t * qy) - width / 2
}
const triangle = (x, y, points) => {
  const edges = points.map(([ax, ay], i) => {
    const [bx, by] = points[(i + 1) % 3]
    return ((y - ay) * (bx - ax) - (x - ax) * (by - ay)) / Math.hypot(bx - ax, by - ay)
  })
  return Math.max(...edges.map((d) => -d))
}
const arc = (x, y, cx, cy, r, width, from, to) => {
  const angle = (Math.atan2(y - cy, x - cx) + 2 * Math.PI) % (2 * Math.PI)
  if (angle >= from && angle <= to) return ring(x, y, cx, cy, r, width)
  const end = (a) => Math.hypot(x - cx - r * Math.cos(a), y - cy - r * Math.sin(a)) - width / 2
  return Math.min(end(from), end(to))
}

const back = (x, y) =>
  Math.min(
    box(x, y, 208, 186, 264, 196, 62),
    triangle(x, y, [
      [112, 262],
      [186, 262],
      [112, 330],
    ]),
  )
const front = (x, y) =>
  Math.min(
    box(x, y, 292, 300, 288, 220, 68),
    triangle(x, y, [
      [322, 390],
      [400, 390],
      [400, 458],
    ]),
  )
const at = (x, y) => {
  const [cx, cy, width] = [292, 300, 18]
  const stem = line(x, y, cx + 36, cy - 32, cx + 36, cy + 8, width)
  const hook = Math.min(
    arc(x, y, cx + 54, cy + 8, 18, width, 0, Math.PI),
    line(x, y, cx + 72, cy, cx + 72, cy + 8, width),
  )
  const tail = Math.min(stem, hook)
  return Math.min(
    ring(x, y, cx, cy, 34, width),
    tail,
    arc(x, y, cx, cy, 72, width, Math.PI * 0.28, 2 * Math.PI),
  )
}

const cover = (distance) => Math.min(1, Math.max(0, 0.5 - distance))
const mix = (under, over, amount) => under.map((value, i) => value + (over[i] - value) * amount)

function pixel(x, y) {
  const slope = (x + y) / (2 * SIZE)
  let colour = mix([88, 86, 214], [38, 132, 190], slope)
  colour = mix(colour, BACK, cover(back(x, y)))
  // A rim of the ground's colour keeps the two bubbles apart.
  colour = mix(colour, mix([88, 86, 214], [38, 132, 190], slope), cover(front(x, y) - 14))
  colour = mix(colour, FRONT, cover(front(x, y)))
  colour = mix(colour, INK, cover(at(x, y)))
  return [
    ...colour.map(Math.round),
    Math.round(255 * cover(box(x, y, SIZE / 2, SIZE / 2, SIZE, SIZE, 112))),
  ]
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

const header = Buffer.alloc(13)
header.writeUInt32BE(SIZE, 0)
header.writeUInt32BE(SIZE, 4)
header.set([8, 6, 0, 0, 0], 8)
const rows = Array.from({ length: SIZE }, (_, y) => [
  0,
  ...Array.from({ length: SIZE }, (_, x) => pixel(x + 0.5, y + 0.5)).flat(),
])
const png = Buffer.concat([
  Buffer.from('89504e470d0a1a0a', 'hex'),
  chunk('IHDR', header),
  chunk('IDAT', deflateSync(Buffer.from(rows.flat()), { level: 9 })),
  chunk('IEND', Buffer.alloc(0)),
])
writeFileSync(join(import.meta.dirname, '..', '.claude-plugin', 'icon.png'), png)
