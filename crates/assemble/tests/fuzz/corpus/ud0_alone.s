ud0
